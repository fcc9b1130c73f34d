/// What paraph-handoff can be told: /etc/paraph/paraph-handoff.conf.
public struct HandoffConfiguration: Equatable, Sendable {
  /// The spool's folder.
  public var spool: String
  /// How often the whole spool is looked through, in nanoseconds, in case the kernel lost a notice.
  public var rescan: Int64
  /// How long a delivered signature is kept in the spool, in nanoseconds; 0: not at all.
  public var retain: Int64
  /// The pause after a first failed attempt, in nanoseconds; it doubles with each.
  public var firstPause: Int64
  /// The longest pause between attempts, in nanoseconds.
  public var longestPause: Int64
  /// The age at which a failed delivery becomes permanent, in nanoseconds of a synchronised clock; nil: no limit.
  public var maximumAge: Int64?
  /// How large the files of an item may be together, in bytes.
  public var itemLimit: Int64
  /// Where counters are written for a collector of Prometheus' text format; nil: nowhere.
  public var metrics: String?
  /// Where signatures go; at least one.
  public var sinks: [SinkConfiguration]
  /// Where the values stand.
  public let origin: ConfigurationOrigin
  /// The value of {device} in client id and status topic of an MQTT sink; nil: the host name.
  public var deviceName: String?

  /// Where the file is if nothing else is said.
  public static let defaultPath = "/etc/paraph/paraph-handoff.conf"

  /// Reads a file.
  public init(reading path: String) throws(ConfigurationError) {
    try self.init(ConfigurationReader(try Document.read(path)))
  }

  /// Reads text. `file` is the name for errors.
  public init(_ text: String, file: String) throws(ConfigurationError) {
    try self.init(ConfigurationReader(Document.parse(Array(text.utf8), file: file)))
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
    let named = reader.sections("sink")
    for (index, sink) in named.enumerated()
    where named[..<index].contains(where: { $0.name == sink.name }) {
      // The spool notes by the name what a sink has.
      sink.section.refuse("", "another section names this sink, with other blanks")
    }
    origin = reader.origin
    var sinks: [SinkConfiguration] = []
    for (name, section) in named {
      guard var sink = SinkConfiguration(name, section) else { continue }
      if case .mqtt(var mqtt) = sink.kind {
        mqtt.deviceName = deviceName
        sink.kind = .mqtt(mqtt)
      }
      sinks.append(sink)
    }
    self.sinks = sinks
    if !sinks.isEmpty && !sinks.contains(where: { $0.carriesPictures }) {
      for (_, section) in named {
        section.refuse("picture-limit", "must not be 0: no other sink carries the pictures")
      }
    }
    try reader.finish()
    if sinks.isEmpty {
      try reader.refuse("has no section [sink NAME]: signatures would go nowhere")
    }
  }
}
