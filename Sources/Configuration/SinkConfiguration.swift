/// One place where signatures are delivered to: a section `[sink NAME]`.
public struct SinkConfiguration: Equatable, Sendable {
  /// What a sink is, with what it needs.
  public enum Kind: Equatable, Sendable {
    /// A folder, on this or another filesystem.
    case directory(DirectorySinkConfiguration)
    /// A web server.
    case http(HTTPSinkConfiguration)
    /// An object store.
    case s3(S3SinkConfiguration)
    /// A program.
    case command(CommandSinkConfiguration)
    /// A broker.
    case mqtt(MQTTSinkConfiguration)
  }

  /// The NAME of the section: letters, digits and hyphens.
  public var name: String
  /// What the sink is.
  public var kind: Kind

  static let types = ["directory", "http", "s3", "command", "mqtt"]
  private static let nameLimit = 32

  /// A sink of this kind.
  public init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Whether it delivers the picture too, not the manifest alone.
  public var carriesPictures: Bool {
    if case .mqtt(let mqtt) = kind { return mqtt.pictureLimit > 0 }
    return true
  }

  /// Nil if something was refused.
  init?(_ name: String, _ section: Section) {
    self.name = name
    // The name becomes a file's name in the spool.
    if !name.utf8.allSatisfy({ $0.isNameByte }) || name.utf8.count > Self.nameLimit {
      section.refuse("", "a sink's name has at most \(Self.nameLimit) letters, digits and hyphens")
    }
    guard let type = section.required("type", .choice(Self.types)),
      let kind = Self.kind(type, section)
    else { return nil }
    self.kind = kind
  }

  private static func kind(_ type: String, _ section: Section) -> Kind? {
    switch type {
    case "directory": DirectorySinkConfiguration(section).map { .directory($0) }
    case "http": HTTPSinkConfiguration(section).map { .http($0) }
    case "s3": S3SinkConfiguration(section).map { .s3($0) }
    case "command": CommandSinkConfiguration(section).map { .command($0) }
    case "mqtt": MQTTSinkConfiguration(section).map { .mqtt($0) }
    default: nil
    }
  }
}
