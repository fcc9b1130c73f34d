internal import CLibmosquitto

/// Reason codes of MQTT 5 (section 2.4).
enum MQTTReason {
  static let firstFailure: Int32 = 0x80
  private static let noSubscribers: Int32 = 0x10
  private static let notAuthorized: Int32 = 0x87
  private static let packetTooLarge: Int32 = 0x95
  private static let payloadInvalid: Int32 = 0x99

  /// What the answer to a message means. Only what the message itself is the reason of is permanent.
  static func outcome(_ code: Int32, acceptsUnrouted: Bool) -> Outcome {
    switch code {
    case noSubscribers:
      acceptsUnrouted
        ? .delivered : .later("no client has subscribed to the topic (unrouted = retry)")
    case ..<firstFailure: .delivered
    case packetTooLarge, payloadInvalid: .never(text(code))
    case notAuthorized: .later(text(code) + "; check the broker's access list")
    default: .later(text(code))
    }
  }

  /// For example "Not authorized (0x87)".
  static func text(_ code: Int32) -> String {
    unsafe String(cString: mosquitto_reason_string(code)) + " (0x\(String(code, radix: 16)))"
  }
}
