import Testing

@testable import Handoff

/// The kinds by which an operator is alerted.
@Suite struct FailureKindTests {
  @Test(arguments: [
    (
      "credentials rejected; check username, password-file and client-certificate",
      FailureKind.credentials
    ),
    (
      "the server's certificate is not trusted (certificate has expired); check ca-file and the clock",
      .tls
    ),
    ("the server's certificate is not trusted; check ca-file", .tls),
    ("the server does not speak TLS on this port", .tls), ("TLS failed: internal error", .tls),
    ("connection refused or unreachable", .network),
    ("no response within the time limit", .network),
    ("another client has taken over the client id x", .conflict),
  ])
  func `a failed connection is of the network, of TLS, of credentials or of a conflict`(
    reason: String, kind: FailureKind
  ) {
    #expect(FailureKind(connection: reason) == kind)
  }

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
    #expect(kind(0) == nil && kind(0x95) == nil)
  }
}
