import Testing

@testable import Handoff

/// The kinds by which an operator is alerted.
@Suite struct FailureKindTests {
  @Test(arguments: [
    (401, FailureKind.credentials), (403, .denied), (429, .busy), (500, .busy), (503, .busy),
    (507, .full), (302, .other), (409, .other),
  ])
  func `a status tells where to look`(status: Int, kind: FailureKind) {
    #expect(FailureKind(status: status) == kind)
  }

  @Test(arguments: [
    ("SignatureDoesNotMatch", FailureKind?.some(.credentials)), ("AccessDenied", .denied),
    ("QuotaExceeded", .full), ("NoSuchBucket", .denied), ("SlowDown", nil),
  ])
  func `a store's code is more exact than its status`(code: String, kind: FailureKind?) {
    #expect(FailureKind(code: code) == kind)
  }

  @Test func `a broker's reason code is counted by its kind`() {
    func kind(_ code: Int32) -> FailureKind? {
      guard
        case .temporaryFailure(_, _, let kind) = MQTTReason.outcome(code, acceptsUnrouted: false)
      else { return nil }
      return kind
    }
    #expect(
      kind(0x10) == .unrouted && kind(0x87) == .denied && kind(0x97) == .full
        && kind(0x80) == .other)
    // RabbitMQ 4.0 answers a full queue with 0x83.
    #expect(kind(0x83) == .full)
    for code in [0x88, 0x89, 0x96, 0x9f] as [Int32] { #expect(kind(code) == .busy, "\(code)") }
    #expect(kind(0) == nil && kind(0x95) == nil)
    // In another message than the answer to a delivery, 0x83 says nothing of a queue.
    #expect(MQTTReason.kind(0x83) == .other && MQTTReason.kind(0x86) == .credentials)
  }
}
