/// `type = mqtt`: publishes messages to a broker.
public struct MQTTSinkConfiguration: Equatable, Sendable {
  /// The broker's host.
  public var host: String
  /// The broker's port; by default 8883 with TLS, else 1883.
  public var port: Int
  /// The version of MQTT.
  public var version: ProtocolVersion
  /// The client identifier, unique among the broker's clients.
  public var clientID: Template
  /// The value of {device}; nil: the manifest's, and where there is none, the host name.
  public var deviceName: Template?
  /// The topic; signatures are published to TOPIC/ID/manifest and TOPIC/ID/png.
  public var topic: Template
  /// The largest picture, in bytes: an item with a larger one fails permanently. 0: manifests only.
  public var pictureLimit: Int64
  /// Whether a message without subscribers counts as delivered.
  public var acceptsUnrouted: Bool
  /// The topic of the retained status; nil: none.
  public var statusTopic: Template?
  /// Whether the status is JSON, and not "online" or "offline" (the last will).
  public var statusIsJSON: Bool
  /// The topic where each status is published unretained, too; nil: none.
  public var eventsTopic: Template?
  /// The user name.
  public var username: Template?
  /// The password.
  public var password: Secret?
  /// Whether the connection is encrypted.
  public var usesTLS: Bool
  /// The certificates.
  public var tls: TLSConfiguration
  /// The time limit for the acknowledgement of an item, in nanoseconds.
  public var timeLimit: Int64

  /// The versions of MQTT.
  public enum ProtocolVersion: Equatable, Sendable {
    /// Version 5: acknowledgements have a reason code.
    case five
    /// Version 3.1.1: an acknowledged message may have been discarded.
    case three
  }

  init?(_ section: Section) {
    let host = section.required("host", .name(".:", limit: 253))
    usesTLS = section.value("tls", .flag, default: true)
    port = section.value("port", .integer(1...65535), default: usesTLS ? 8883 : 1883)
    version = section.value(
      "protocol", .choice(["5", "3.1.1"], [.five, .three]), default: .five)
    clientID = section.value("client-id", .clientID, default: .defaultClientID)
    let topic = section.required("topic", .topic)
    pictureLimit = section.value("picture-limit", .bytes(0...(32 << 20)), default: 32 << 20)
    acceptsUnrouted = section.value(
      "unrouted", .choice(["retry", "accept"], [false, true]), default: false)
    statusTopic = section.value("status-topic", .statusTopic)
    statusIsJSON = section.value(
      "status-format", .choice(["json", "text"], [true, false]), default: true)
    eventsTopic = section.value("events-topic", .statusTopic)
    username = section.value("username", .deviceText)
    password = section.value("password-file", .secret)
    tls = TLSConfiguration(section)
    timeLimit = section.value("time-limit", .timeLimit, default: 30_000_000_000)
    if password != nil && username == nil { section.refuse("password-file", "needs username") }
    let mayBePlain = section.value("plaintext-secrets", .flag, default: false)
    if password != nil && !usesTLS && !mayBePlain && host?.isLoopbackHost == false {
      section.refuse(
        "password-file", "would be sent unencrypted: set tls = yes, or plaintext-secrets = yes")
    }
    if eventsTopic != nil && !statusIsJSON {
      section.refuse("events-topic", "needs status-format = json")
    }
    if version == .three && section.has("unrouted") {
      section.refuse("unrouted", "needs protocol = 5")
    }
    guard let host, let topic else { return nil }
    self.host = host
    self.topic = topic
  }
}

extension Template {
  /// The default client id: the pad's name alone, so that two pads with the same name are noticed
  /// at the broker.
  public static var defaultClientID: Template {
    Template(parts: [.text("paraph-"), .place(.device)])
  }
}

extension ValueType where Value == Template {
  /// A client identifier with placeholders of the device.
  fileprivate static var clientID: ValueType {
    ValueType { text throws(Refusal) in
      _ = try ValueType<String>.name("_.{}", limit: 64).read(text)
      return try Template(text, places: Template.Place.ofDevice)
    }
  }

  /// A topic with placeholders of the device.
  fileprivate static var statusTopic: ValueType {
    ValueType { text throws(Refusal) in
      try Template(
        try ValueType<String>.plainTopic.read(text), places: Template.Place.ofDevice)
    }
  }

  /// A topic with placeholders of the item.
  fileprivate static var topic: ValueType {
    ValueType { text throws(Refusal) in
      try Template(try ValueType<String>.plainTopic.read(text))
    }
  }
}

extension ValueType where Value == String {
  /// A topic without wildcards that does not begin with "$", which is reserved for the broker
  /// (MQTT 5, section 4.7).
  fileprivate static var plainTopic: ValueType {
    ValueType { text throws(Refusal) in
      let wrong = text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
      let edge = UInt8(ascii: "/")
      if wrong || text.utf8.first == UInt8(ascii: "$") || text.utf8.first == edge
        || text.utf8.last == edge || text.utf8.count > 1024
      {
        throw Refusal(
          "must be a topic of at most 1024 bytes without + and #, without / at its ends and without"
            + " $ at its start, not \"\(text)\"")
      }
      return text
    }
  }
}
