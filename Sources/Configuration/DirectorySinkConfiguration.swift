/// `type = directory`: a folder that each signature becomes a folder in.
public struct DirectorySinkConfiguration: Equatable, Sendable {
  /// The folder; it must exist.
  public var path: String

  /// Delivers to `path`.
  public init(path: String) { self.path = path }

  init?(_ section: Section) {
    guard let path = section.required("path", .path) else { return nil }
    self.path = path
  }
}
