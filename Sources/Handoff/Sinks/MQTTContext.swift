internal import CLibmosquitto
internal import Configuration

/// The state that libmosquitto's callbacks change. They run on the thread of the `MQTTClient`, inside its calls.
final class MQTTContext {
  /// The last will, a retained message.
  struct Will {
    let topic: String
    /// Nil: "offline", and "online" is published on connection.
    let text: [UInt8]?
  }

  let will: Will?
  private let version: MQTTSinkConfiguration.ProtocolVersion
  private(set) var state = MQTTClient.State.opening
  /// Whether the broker accepted the client.
  private(set) var wasOpen = false
  /// Whether another client took over the session.
  private(set) var isTakenOver = false
  /// Whether the socket is connected.
  var isReached = false
  /// The id of the last published message.
  var awaited: Int32 = 0
  /// Its reason code (MQTT 5, section 3.4.2.1).
  var answer: Int32?
  /// libmosquitto's last error line, the only source of OpenSSL's message.
  private(set) var problem = ""

  init(_ version: MQTTSinkConfiguration.ProtocolVersion, will: Will?) {
    self.version = version
    self.will = will
  }

  /// Keeps the first reason.
  func close(_ reason: String) {
    if case .closed = state { return }
    state = .closed(reason)
  }

  private func rejection(_ code: Int32) -> String {
    switch (version, code) {
    case (.three, 4), (.three, 5), (.five, 0x86), (.five, 0x87):
      "credentials rejected; check username, password-file and client-certificate"
    case (.five, 0x84): "the broker does not speak MQTT 5; set protocol = 3.1.1"
    case (.three, _): unsafe String(cString: mosquitto_connack_string(code))
    case (.five, _): "connection rejected: " + MQTTReason.text(code)
    }
  }

  private static func context(_ object: UnsafeMutableRawPointer?) -> MQTTContext? {
    guard let object = unsafe object else { return nil }
    return unsafe Unmanaged<MQTTContext>.fromOpaque(object).takeUnretainedValue()
  }

  static let connected: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Void = {
    client, object, code in
    guard let context = unsafe context(object) else { return }
    if code != 0 { return context.close(context.rejection(code)) }
    context.state = .open
    context.wasOpen = true
    context.problem = ""
    guard let topic = context.will?.topic, context.will?.text == nil else { return }
    let text = Array("online".utf8)
    unsafe mosquitto_publish(client, nil, topic, Int32(text.count), text, 1, true)
  }

  /// The code is the broker's reason (MQTT 5, section 3.14.2.1), or a smaller one of libmosquitto.
  static let disconnected:
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Void = {
      _, object, code in
      guard let context = unsafe context(object) else { return }
      // The caller handles libmosquitto's codes.
      if code >= MQTTReason.firstFailure {
        context.isTakenOver = code == MQTTReason.sessionTakenOver
        context.close("the broker ended the connection: " + MQTTReason.text(code))
      }
    }

  static let published:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, OpaquePointer?
    ) -> Void = { _, object, number, code, _ in
      guard let context = unsafe context(object) else { return }
      if number == context.awaited { context.answer = code }
    }

  static let logged:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?
    ) -> Void = { _, object, level, text in
      guard level == MOSQ_LOG_ERR, let text = unsafe text,
        let context = unsafe context(object)
      else { return }
      context.problem = unsafe String(cString: text)
    }
}

/// Reason codes of MQTT 5 (section 2.4).
enum MQTTReason {
  static let firstFailure: Int32 = 0x80
  private static let noSubscribers: Int32 = 0x10
  static let sessionTakenOver: Int32 = 0x8e
  private static let notAuthorized: Int32 = 0x87
  private static let quotaExceeded: Int32 = 0x97
  private static let packetTooLarge: Int32 = 0x95
  private static let payloadInvalid: Int32 = 0x99

  /// The result of a delivery with this reason code. Only errors that the message causes are permanent.
  static func outcome(_ code: Int32, acceptsUnrouted: Bool) -> Outcome {
    switch code {
    case noSubscribers:
      acceptsUnrouted
        ? .delivered
        : .temporaryFailure("no client subscribes to the topic (unrouted = retry)", kind: .unrouted)
    case ..<firstFailure: .delivered
    case packetTooLarge, payloadInvalid: .permanentFailure(text(code))
    case notAuthorized:
      .temporaryFailure(text(code) + "; check the broker's access list", kind: .denied)
    case quotaExceeded: .temporaryFailure(text(code), kind: .full)
    default: .temporaryFailure(text(code))
    }
  }

  /// For example "Not authorized (0x87)".
  static func text(_ code: Int32) -> String {
    unsafe String(cString: mosquitto_reason_string(code)) + " (0x\(String(code, radix: 16)))"
  }
}
