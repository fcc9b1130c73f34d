internal import CLibmosquitto
internal import Configuration

/// The state that libmosquitto's callbacks change. They run on the thread of the `MQTTClient`, inside its calls.
final class MQTTContext {
  /// The last will, a retained message.
  struct Will {
    let topic: String
    /// Nil: "offline".
    let text: [UInt8]?
  }

  let will: Will?
  private let version: MQTTSinkConfiguration.ProtocolVersion
  private(set) var state = MQTTClient.State.opening
  /// Whether the broker accepted the client.
  private(set) var wasOpen = false
  /// How the connection ended.
  private(set) var loss = ReconnectSchedule.Loss.local
  /// Whether the broker ended the connection without a reason while it owed an acknowledgement of an item's message, or
  /// of a status.
  private(set) var isRefused = false, isStatusRefused = false
  /// The messages that the broker has not acknowledged yet.
  private var unacknowledged: Set<Int32> = []
  /// The unacknowledged messages that are a status.
  private var statuses: Set<Int32> = []
  /// Whether it has acknowledged all statuses, with any reason codes.
  private(set) var hasAnsweredStatus = false
  /// Whether the socket is connected.
  var isReached = false
  /// The id of the last published message.
  var awaited: Int32 = 0
  /// Its reason code (MQTT 5, section 3.4.2.1).
  var answer: Int32?
  /// The reason code of a status message that the broker rejected last.
  var rejectedStatus: Int32?
  /// libmosquitto's last error line, the only source of OpenSSL's message.
  private(set) var problem = ""

  init(_ version: MQTTSinkConfiguration.ProtocolVersion, will: Will?) {
    self.version = version
    self.will = will
  }

  /// Keeps the first reason.
  func close(_ failure: MQTTClient.Failure, _ loss: ReconnectSchedule.Loss = .local) {
    if case .closed = state { return }
    state = .closed(failure)
    // The broker may have closed the connection because of a message that it has not acknowledged.
    isRefused = loss == .lost && unacknowledged.count > statuses.count
    isStatusRefused = loss == .lost && !statuses.isEmpty
    self.loss = isRefused || isStatusRefused ? .local : loss
  }

  /// A message was published that the broker acknowledges.
  func await(_ number: Int32, isStatus: Bool = false) {
    unacknowledged.insert(number)
    if isStatus { statuses.insert(number) }
  }

  /// Of a CONNACK's code (MQTT 3.1.1, section 3.2.2.3; MQTT 5, section 3.2.2.2).
  private func rejection(_ code: Int32) -> MQTTClient.Failure {
    switch (version, code) {
    case (.three, 4), (.three, 5), (.five, 0x86), (.five, 0x87), (.five, 0x8c):
      .init(
        text: "credentials rejected; check username, password-file and client-certificate",
        kind: .credentials)
    case (.five, 0x84):
      .init(text: "the broker does not speak MQTT 5; set protocol = 3.1.1", kind: .other)
    case (.three, _):
      .init(
        text: unsafe String(cString: mosquitto_connack_string(code)),
        kind: code == 3 ? .busy : .other)
    case (.five, _):
      .init(text: "connection rejected: " + MQTTReason.text(code), kind: MQTTReason.kind(code))
    }
  }

  private static func context(_ object: UnsafeMutableRawPointer?) -> MQTTContext? {
    guard let object = unsafe object else { return nil }
    return unsafe Unmanaged<MQTTContext>.fromOpaque(object).takeUnretainedValue()
  }

  static let connected: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Void = {
    _, object, code in
    guard let context = unsafe context(object) else { return }
    if code != 0 { return context.close(context.rejection(code)) }
    context.state = .open
    context.wasOpen = true
    context.problem = ""
  }

  /// The code is the broker's reason (MQTT 5, section 3.14.2.1), or a smaller one of libmosquitto.
  static let disconnected:
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Void = {
      _, object, code in
      guard let context = unsafe context(object) else { return }
      // The caller handles libmosquitto's codes.
      if code >= MQTTReason.firstFailure {
        context.close(
          .init(
            text: "the broker ended the connection: " + MQTTReason.text(code),
            kind: MQTTReason.kind(code)),
          code == MQTTReason.sessionTakenOver ? .takenOver : .named)
      }
    }

  static let published:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, OpaquePointer?
    ) -> Void = { _, object, number, code, _ in
      guard let context = unsafe context(object) else { return }
      context.unacknowledged.remove(number)
      if context.statuses.remove(number) != nil, context.statuses.isEmpty {
        context.hasAnsweredStatus = true
      }
      if number == context.awaited {
        context.answer = code
      } else if code >= MQTTReason.firstFailure {
        context.rejectedStatus = code
      }
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
  private static let implementationSpecific: Int32 = 0x83

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
    // RabbitMQ 4.0 answers so where a queue refuses a message (x-overflow = reject-publish).
    case implementationSpecific:
      .temporaryFailure("the queue is full or unavailable: " + text(code), kind: .full)
    default: .temporaryFailure(text(code), kind: kind(code))
    }
  }

  /// The kind of a failure with this reason code, whatever message it is in.
  static func kind(_ code: Int32) -> FailureKind {
    switch code {
    case 0x86, 0x8c: .credentials  // Bad User Name or Password, Bad authentication method
    case notAuthorized, 0x8a: .denied  // Banned
    case quotaExceeded: .full
    // Server unavailable, Server busy, Server shutting down, Message rate too high, Connection rate exceeded
    case 0x88, 0x89, 0x8b, 0x96, 0x9f: .busy
    case sessionTakenOver: .conflict
    default: .other
    }
  }

  /// For example "Not authorized (0x87)".
  static func text(_ code: Int32) -> String {
    unsafe String(cString: mosquitto_reason_string(code)) + " (0x\(String(code, radix: 16)))"
  }
}
