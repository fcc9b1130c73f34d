/// The configuration of paraph-handoff: /etc/paraph/paraph-handoff.conf.
public struct HandoffConfiguration: Equatable, Sendable {
  /// The spool's folder.
  public var spool: String
  /// The interval of full scans of the spool, in nanoseconds, for notices that the kernel lost.
  public var rescan: Int64
  /// The retention time of a delivered signature in the spool, in nanoseconds; 0: none.
  public var retain: Int64
  /// The delay after the first failed attempt, in nanoseconds; doubled after each further one.
  public var firstPause: Int64
  /// The maximum delay between attempts, in nanoseconds.
  public var longestPause: Int64
  /// The age at which a failed delivery becomes permanent, in nanoseconds of a synchronised clock; nil: no limit.
  public var maximumAge: Int64?
  /// The maximum total size of an item's files, in bytes.
  public var itemLimit: Int64
  /// The file of metrics in Prometheus's text format; nil: none.
  public var metrics: String?
  /// The time stamps; nil: none.
  public var timestamp: TimestampConfiguration?
  /// The sinks; at least one.
  public var sinks: [SinkConfiguration]
  /// The lines of the values.
  public let origin: ConfigurationOrigin
  /// The value of {device}; nil: the manifest's device, and where there is none, the host name.
  public var deviceName: Template?

  /// The socket of the pad whose state is reported; nil: none.
  public var pad: String?
  /// The files with the certificates whose expiry is reported.
  public var certificates: [String]

  /// The default path of the pad's socket.
  public static let defaultPad = "/run/paraph/org.paraph.Pad"
  /// The default path of the file.
  public static let defaultPath = "/etc/paraph/paraph-handoff.conf"

  /// Reads a file.
  public init(reading path: String) throws(ConfigurationError) {
    try self.init(ConfigurationReader(try Document.read(path)))
  }

  /// Parses a text. `file` is the name for problems.
  public init(_ text: String, file: String) throws(ConfigurationError) {
    try self.init(ConfigurationReader(Document.parse([UInt8](text.utf8), file: file)))
  }

  init(_ reader: ConfigurationReader) throws(ConfigurationError) {
    let second: Int64 = 1_000_000_000
    spool = reader.section("spool").value("path", .path, default: SpoolConfiguration.defaultPath)
    let handoff = reader.section("handoff")
    rescan = handoff.value("rescan", .duration(second...86400 * second), default: 60 * second)
    retain = handoff.value("retain", .duration(0...315_360_000 * second), default: 0)
    firstPause = handoff.value(
      "first-pause", .duration(second / 1000...86400 * second), default: 5 * second)
    longestPause = handoff.value(
      "longest-pause", .duration(second / 1000...604_800 * second), default: 3600 * second)
    if longestPause < firstPause {
      handoff.refuse("longest-pause", "must not be shorter than first-pause")
    }
    maximumAge = handoff.value(
      "maximum-age", .duration(60 * second...315_360_000 * second), unless: "unlimited")
    itemLimit = handoff.value(
      "maximum-item", .bytes(65536...128 * 1_048_576), default: 64 * 1_048_576)
    metrics = handoff.value("metrics", .path)
    deviceName = handoff.value(
      "device-name", .deviceName(limit: SessionConfiguration.deviceNameLimit))
    timestamp = TimestampConfiguration(reader.section("timestamp"))
    let pad = handoff.value("pad", .padSocket, default: .path(Self.defaultPad))
    if case .path(let path) = pad { self.pad = path }
    certificates = handoff.value("certificates", .paths, default: [])
    let named = reader.sections("sink")
    for (index, sink) in named.enumerated()
    where named[..<index].contains(where: { $0.name == sink.name }) {
      // The spool records deliveries by the sink's name.
      sink.section.refuse("", "duplicate sink name")
    }
    origin = reader.origin
    var sinks: [SinkConfiguration] = []
    for (name, section) in named {
      guard var sink = SinkConfiguration(name, section) else { continue }
      sink.name(deviceName)
      sinks.append(sink)
    }
    self.sinks = sinks
    if !sinks.isEmpty && !sinks.contains(where: { $0.carriesPictures }) {
      for (_, section) in named {
        section.refuse("picture-limit", "must not be 0: no other sink delivers pictures")
      }
    }
    try reader.finish()
    if sinks.isEmpty {
      try reader.refuse("no section [sink NAME]: signatures would not be delivered")
    }
  }
}

/// The pad's socket, or none.
private enum PadSocket {
  case path(String)
  case none
}

extension ValueType where Value == PadSocket {
  fileprivate static var padSocket: ValueType {
    ValueType { text throws(Refusal) in
      text == "none" ? .none : .path(try ValueType<String>.path.read(text))
    }
  }
}
