/// `type = mqtt`: messages to a broker.
public struct MQTTSinkConfiguration: Equatable, Sendable {
  /// The broker.
  public var host: String
  /// Its port; nil: 1883, or 8883 with TLS.
  public var port: Int
  /// How the broker knows this client; nil: "paraph-" and the host name.
  public var clientID: String?
  /// Signatures go to TOPIC/ID/manifest and TOPIC/ID/png.
  public var topic: Template
  /// Pictures up to this size, in bytes, are published too.
  public var pictureLimit: Int64
  /// Tells, retained, whether the client is "online" or "offline": the last will. Nil: nothing does.
  public var statusTopic: String?
  /// Who connects.
  public var username: String?
  /// Who connects, proved.
  public var password: Secret?
  /// Whether the connection is encrypted.
  public var usesTLS: Bool
  /// Certificates.
  public var tls: TLSConfiguration
  /// Until the broker has acknowledged an item, in nanoseconds.
  public var timeLimit: Int64

  init?(_ section: Section) {
    let host = section.required("host", .name(".:", limit: 253))
    usesTLS = section.value("tls", .flag, default: true)
    port = section.value("port", .integer(1...65535), default: usesTLS ? 8883 : 1883)
    clientID = section.value("client-id", .name("_.", limit: 64))
    let topic = section.required("topic", .topic)
    pictureLimit = section.value("picture-limit", .bytes(0...(32 << 20)), default: 256 << 10)
    statusTopic = section.value("status-topic", .plainTopic)
    username = section.value("username", .text)
    password = section.value("password-file", .secret)
    tls = TLSConfiguration(section)
    timeLimit = section.value("time-limit", .timeLimit, default: 30_000_000_000)
    if password != nil && username == nil { section.refuse("password-file", "needs username") }
    guard let host, let topic else { return nil }
    self.host = host
    self.topic = topic
  }
}

extension ValueType where Value == Template {
  /// A topic to publish to, with places.
  fileprivate static var topic: ValueType {
    ValueType { text throws(Refusal) in
      try Template(try ValueType<String>.plainTopic.read(text))
    }
  }
}

extension ValueType where Value == String {
  /// MQTT 5, section 4.7: no wildcards, and no "$", which is the broker's own.
  fileprivate static var plainTopic: ValueType {
    ValueType { text throws(Refusal) in
      let wrong = text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
      let edge = UInt8(ascii: "/")
      if wrong || text.utf8.first == UInt8(ascii: "$") || text.utf8.first == edge
        || text.utf8.last == edge || text.utf8.count > 1024
      {
        throw Refusal("must be a topic without + # and without / at its ends, not \"\(text)\"")
      }
      return text
    }
  }
}
