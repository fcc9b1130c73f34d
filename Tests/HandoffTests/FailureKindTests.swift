import CLinux
import Configuration
import Linux
import Retry
import Spool
import SpoolFixtures
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
    // The answer's status is 403, and the pad's clock is the cause.
    ("RequestTimeTooSkewed", .other),
  ])
  func `a store's code is more exact than its status`(code: String, kind: FailureKind?) {
    #expect(FailureKind(code: code) == kind)
  }

  @Test(arguments: [
    (ENOSPC, FailureKind.full), (EDQUOT, .full), (EACCES, .denied), (EPERM, .denied),
    (EROFS, .denied), (ENOENT, .other), (EIO, .other),
  ])
  func `an error of a folder tells where to look`(error: Int32, kind: FailureKind) {
    #expect(FailureKind(Errno(error)) == kind)
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

  let folder = TemporaryFolder()

  func item() throws -> Item {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    return try Item(id, in: Spool(at: publisher.path).new)
  }

  func sink(
    _ lines: [String], _ backoff: Backoff = Backoff(first: 1_000_000_000, longest: 1_000_000_000),
    health: SinkHealth = SinkHealth()
  ) throws -> MQTTSink {
    MQTTClient.prepareLibrary()
    let text =
      ["[handoff]", "device-name = Locker 17", "[sink broker]", "type = mqtt", "topic = t"] + lines
    guard
      case .mqtt(let mqtt) = try HandoffConfiguration(text.joined(separator: "\n"), file: "test")
        .sinks[0].kind
    else { throw Errno(EINVAL) }
    return try MQTTSink(mqtt, try Cancellation(), health, backoff)
  }

  func count(_ kind: FailureKind, _ health: SinkHealth) throws -> UInt64 {
    health.failureCounts[try #require(FailureKind.allCases.firstIndex(of: kind))]
  }

  @Test func `each kind of failed connection has its own count`() {
    let health = SinkHealth()
    for (index, kind) in FailureKind.allCases.enumerated() {
      for _ in 0...index { health.countFailure(kind) }
    }
    #expect(health.failureCounts == Array(1...UInt64(FailureKind.allCases.count)))
  }

  func kind(_ outcome: Outcome) -> FailureKind? {
    if case .temporaryFailure(_, _, let kind) = outcome { return kind }
    return nil
  }

  /// A file that is missing, and a name that has no address.
  @Test(arguments: [
    (["host = localhost", "ca-file = /nowhere"], FailureKind.tls),
    (["host = paraph.invalid"], .network),
  ])
  func `a connection to a broker that fails at once fails the delivery, and is counted by its kind`(
    lines: [String], expected: FailureKind
  ) throws {
    let first: Int64 = 100_000_000_000
    let sink = try sink(lines, Backoff(first: first, longest: 10 * first))
    let item = try item()
    let begin = MonotonicClock.now
    #expect(kind(sink.deliver(item)) == expected)
    // As the delivery's, it puts off the connection for the status until the delivery's retries had their turn.
    let wait = try #require(sink.wait.nanoseconds)
    #expect(MonotonicClock.now + wait >= begin + first)
  }

  @Test(arguments: ["5", "3.1.1"])
  func `a broker that ends three connections instead of acknowledging has denied the message`(
    version: String
  ) throws {
    let broker = try TestServer("refuse.py")
    let refuse = broker.folder.path + "/refuse"
    let sink = try sink([
      "host = 127.0.0.1", "port = \(broker.port)", "tls = no", "protocol = \(version)",
    ])
    let item = try item()
    try Fixtures.write(refuse, [])
    #expect((0..<2).map { _ in kind(sink.deliver(item)) } == [.network, .network])
    // An acknowledged signature in between.
    unlink(refuse)
    #expect(sink.deliver(item) == .delivered)
    try Fixtures.write(refuse, [])
    #expect(
      (0..<4).map { _ in kind(sink.deliver(item)) } == [.network, .network, .denied, .denied])
    unlink(refuse)
    #expect(sink.deliver(item) == .delivered)
  }

  @Test(arguments: [
    (["host = localhost", "ca-file = /nowhere"], FailureKind.tls),
    (["host = paraph.invalid"], .network),
  ])
  func `without a signature, a connection that fails at once is counted by its kind`(
    lines: [String], expected: FailureKind
  ) throws {
    let health = SinkHealth()
    let sink = try sink(lines, health: health)
    sink.work()
    #expect(try count(expected, health) == 1)
    // The delivery's outcome is counted by who asked for it.
    let outcome = sink.deliver(try item())
    #expect(kind(outcome) == expected)
    #expect(health.failureCounts.reduce(0, +) == 1)
  }

  @Test func `without a signature, credentials that are revoked are counted`() throws {
    let broker = try TestServer("refuse.py")
    let health = SinkHealth()
    let sink = try sink(
      [
        "host = 127.0.0.1", "port = \(broker.port)", "tls = no", "username = {device}@fleet",
      ], health: health)
    let item = try item()
    #expect(sink.deliver(item) == .delivered)
    // Escaped as in a topic.
    let bytes = try Fixtures.read(broker.folder.path + "/clients")
    let clients = String(decoding: bytes, as: UTF8.self)
    // The length of what follows begins with a zero.
    #expect(clients.contains("Locker_17@fleet") && clients.contains("paraph-Locker_17\0"))
    try Fixtures.write(broker.folder.path + "/reject", [])
    try Fixtures.write(broker.folder.path + "/refuse", [])
    #expect(kind(sink.deliver(item)) == .network)
    #expect(
      try eventually {
        sink.work()
        return try count(.credentials, health) > 0
      })
    #expect(health.isConnected == false)
  }

  @Test(arguments: [
    ["protocol = 5"], ["protocol = 3.1.1"], ["status-format = text"],
    ["events-topic = pads/{device}/events"],
  ])
  func `a broker that ends three connections instead of acknowledging a status gets none for now`(
    lines: [String]
  ) throws {
    let broker = try TestServer("refuse.py")
    let health = SinkHealth()
    let sink = try sink(
      [
        "host = 127.0.0.1", "port = \(broker.port)", "tls = no",
        "status-topic = pads/{device}/status",
      ] + lines, health: health)
    func statuses() throws -> Int {
      try Fixtures.text(broker.folder.path + "/topics").split(separator: "\n").count {
        $0 == "pads/Locker_17/status"
      }
    }
    let denied = lines[0].hasPrefix("events") ? "events" : "status"
    try Fixtures.write(broker.folder.path + "/refuse", Array(denied.utf8))
    sink.publish(Presence())
    #expect(
      eventually {
        sink.work()
        return health.rejectedStatusCount > 0
      })
    #expect(try statuses() == 3)
    let counts = (try count(.network, health), try count(.denied, health))
    // Three lost connections: signatures are not denied.
    #expect(counts == (3, 0))
    // Signatures go on.
    let item = try item()
    #expect(sink.deliver(item) == .delivered)
    for _ in 0..<20 { sink.work() }
    #expect(sink.deliver(item) == .delivered)
    #expect(try statuses() == 3)
    #expect(health.rejectedStatusCount == 1)
    #expect(health.isConnected == true)
    #expect((sink.wait.nanoseconds ?? 0) > 1_000_000_000)
  }
}
