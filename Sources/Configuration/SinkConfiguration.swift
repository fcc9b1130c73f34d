/// One place where signatures are delivered to: a section `[sink NAME]`.
public struct SinkConfiguration: Equatable, Sendable {
  /// What a sink is, with what it needs.
  public enum Kind: Equatable, Sendable {
    /// A folder, on this or another filesystem.
    case directory(DirectorySinkConfiguration)
  }

  /// The NAME of the section: letters, digits and hyphens.
  public var name: String
  /// What the sink is.
  public var kind: Kind

  static let types = ["directory"]
  private static let nameLimit = 32

  /// A sink of this kind.
  public init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Nil if something was refused.
  init?(_ name: String, _ section: Section) {
    self.name = name
    // The name becomes a file's name in the spool.
    if !name.utf8.allSatisfy({ $0.isNameByte }) || name.utf8.count > Self.nameLimit {
      section.refuse("", "a sink's name has at most \(Self.nameLimit) letters, digits and hyphens")
    }
    guard let type = section.required("type", .choice(Self.types)) else { return nil }
    switch type {
    case "directory":
      guard let directory = DirectorySinkConfiguration(section) else { return nil }
      kind = .directory(directory)
    default: return nil
    }
  }
}
