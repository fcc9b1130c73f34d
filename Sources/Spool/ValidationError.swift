/// Why a folder is not an item that paraphd published: it is set aside with this reason.
public struct ValidationError: Error, Equatable, Sendable {
  /// Without anything of the content: it goes to a log.
  public let reason: String

  init(_ reason: String) { self.reason = reason }
}
