/// A font file that cannot be used.
public struct FontError: Error, Equatable, Sendable {
  /// The file.
  public let path: String
  /// Why.
  public let reason: String

  /// One line: "font /usr/share/…: unknown file format".
  public var text: String { "font \(path): \(reason)" }
}
