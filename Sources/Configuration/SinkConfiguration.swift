/// A destination of signatures: a section `[sink NAME]`.
public struct SinkConfiguration: Equatable, Sendable {
  /// The type of a sink with its settings.
  public enum Kind: Equatable, Sendable {
    /// A folder.
    case directory(DirectorySinkConfiguration)
    /// A web server.
    case http(HTTPSinkConfiguration)
    /// An object store.
    case s3(S3SinkConfiguration)
    /// A program.
    case command(CommandSinkConfiguration)
    /// An MQTT broker.
    case mqtt(MQTTSinkConfiguration)
  }

  /// The NAME of the section: letters, digits and hyphens.
  public var name: String
  /// The type of the sink with its settings.
  public var kind: Kind
  /// Whether the sink receives nothing; its signatures wait in the spool.
  public var isHeld: Bool

  static let types = ["directory", "http", "s3", "command", "mqtt"]
  private static let nameLimit = 32

  /// Whether a sink can have this name.
  public static func isValid(name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= nameLimit && name.utf8.allSatisfy { $0.isNameByte }
  }

  /// Whether the sink delivers the picture besides the manifest.
  public var carriesPictures: Bool {
    if case .mqtt(let mqtt) = kind { return mqtt.pictureLimit > 0 }
    return true
  }

  /// Whether the sink publishes the pad's status.
  public var publishesPresence: Bool {
    if case .mqtt(let mqtt) = kind, !isHeld {
      return mqtt.statusIsJSON && (mqtt.statusTopic != nil || mqtt.eventsTopic != nil)
    }
    return false
  }

  /// Whether the receiver is usually one for many pads.
  public var isRemote: Bool {
    switch kind {
    case .directory, .command: false
    case .http, .s3, .mqtt: true
    }
  }

  /// Sets the device's name of the sinks whose settings may contain it.
  mutating func name(_ device: Template?) {
    switch kind {
    case .directory, .command: break
    case .http(var http):
      http.deviceName = device
      kind = .http(http)
    case .s3(var s3):
      s3.deviceName = device
      kind = .s3(s3)
    case .mqtt(var mqtt):
      mqtt.deviceName = device
      kind = .mqtt(mqtt)
    }
  }

  /// Nil if a required key is missing or invalid.
  init?(_ name: String, _ section: Section) {
    self.name = name
    isHeld = section.value("hold", .flag, default: false)
    // The name is a file name in the spool.
    if !Self.isValid(name: name) {
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

/// `type = directory`: copies each signature to a folder of its own in a folder.
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

/// `type = command`: runs a program for each signature.
public struct CommandSinkConfiguration: Equatable, Sendable {
  /// The program's path and its arguments; the item's folder is appended.
  public var words: [String]
  /// The time limit of a run in nanoseconds, after which the program and its children are killed.
  public var timeLimit: Int64

  init?(_ section: Section) {
    let words = section.required("command", .words)
    timeLimit = section.value("time-limit", .timeLimit, default: 60_000_000_000)
    guard let words else { return nil }
    self.words = words
  }
}

extension ValueType where Value == [String] {
  /// An absolute path and arguments, separated by blanks.
  fileprivate static var words: ValueType {
    ValueType { text throws(Refusal) in
      let words = Words.split(text)
      _ = try ValueType<String>.path.read(words.first ?? "")
      return words
    }
  }
}

/// The certificates that a sink trusts and presents.
public struct TLSConfiguration: Equatable, Sendable {
  /// A file of PEM certificates to trust instead of the system's.
  public var authority: String?
  /// A file with the client's certificate (PEM).
  public var certificate: String?
  /// A file with the certificate's key (PEM).
  public var key: String?

  /// By default, trusts the system's certificates and presents none.
  public init(authority: String? = nil, certificate: String? = nil, key: String? = nil) {
    self.authority = authority
    self.certificate = certificate
    self.key = key
  }

  init(_ section: Section) {
    authority = section.value("ca-file", .path)
    certificate = section.value("client-certificate", .path)
    key = section.value("client-key", .path)
    if section.has("client-key") != section.has("client-certificate") {
      section.refuse(
        section.has("client-key") ? "client-key" : "client-certificate",
        "client-certificate and client-key need each other")
    }
  }
}
