import CLinux
import Configuration
import JSON
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// What config/fleet claims and ships.
@Suite struct FleetDocumentsTests {
  static let path =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/config/fleet"

  func text(_ name: String) throws -> String { try Fixtures.text(Self.path + "/" + name) }

  func promtool(_ arguments: [String]) throws -> (end: ChildProcess.End?, output: String) {
    let folder = TemporaryFolder()
    let log = try Programs.open(folder.path + "/log")
    var child = try ChildProcess(
      "/usr/bin/promtool", arguments, output: log.number, error: log.number)
    return (try child.wait(milliseconds: 60_000), try Fixtures.text(folder.path + "/log"))
  }

  @Test func `the alert rules are valid, and fire and are silent as their tests say`() throws {
    for arguments in [
      ["check", "rules", Self.path + "/alerts.yml"],
      ["test", "rules", Self.path + "/alerts-test.yml"],
    ] {
      let result = try promtool(arguments)
      #expect(result.end == .exit(0), "\(result.output)")
    }
    // Tests that cannot fail would be worth nothing.
    let folder = TemporaryFolder()
    try Fixtures.write(folder.path + "/alerts-test.yml", Array(try text("alerts-test.yml").utf8))
    let weaker = try text("alerts.yml").replacing(
      "state=\"failed\"} > 0", with: "state=\"failed\"} > 5")
    try Fixtures.write(folder.path + "/alerts.yml", Array(weaker.utf8))
    #expect(try promtool(["test", "rules", folder.path + "/alerts-test.yml"]).end != .exit(0))
  }

  @Test
  func `every alert asks for metrics that exist, and has a test that fires and one that is silent`()
    throws
  {
    let metrics = Metrics(sinks: ["one", "two"])
    metrics.timestamps = TimestampMetrics()
    let written = metrics.text(MetricsTests.observation)
    let (rules, tests) = (try text("alerts.yml"), try text("alerts-test.yml"))
    // An expression may have several lines.
    let other = ["#", "summary:", "action:", "alert:"]
    for line in rules.split(separator: "\n") where !other.contains(where: { line.contains($0) }) {
      for word in line.split(whereSeparator: { !$0.isLetter && $0 != "_" })
      where word.hasPrefix("paraph_") {
        #expect(written.contains("# TYPE \(word) "), "\(word)")
      }
    }
    for line in rules.split(separator: "\n") where line.contains("- alert: ") {
      let name = line.split(separator: " ").last ?? ""
      #expect(tests.contains("\(name) fires") && tests.contains("\(name) is silent"), "\(name)")
    }
    // A kind in a rule is one that is counted.
    for part in rules.split(separator: "kind=\"").dropFirst() {
      #expect(FailureKind(rawValue: String(part.prefix { $0 != "\"" })) != nil)
    }
  }

  @Test
  func `a pad may publish below its topics and do nothing else, and an object's writer only write`()
    throws
  {
    let rabbit = try JSONValue.parse(
      Array(try text("rabbitmq.json").utf8), limits: .init(size: 1 << 16))
    let pads = try #require(rabbit["permissions"]?.elements?.first { $0["user"]?.text == "pads" })
    #expect(pads["configure"]?.text == "^$" && pads["read"]?.text == "^$")
    let queues = try #require(rabbit["queues"]?.elements)
    #expect(queues.allSatisfy { $0["arguments"]?["x-queue-type"]?.text == "quorum" })
    #expect(rabbit["users"]?.elements?.allSatisfy { $0["password_hash"]?.text == "" } == true)
    let policy = try JSONValue.parse(
      Array(try text("s3-policy.json").utf8), limits: .init(size: 4096))
    let statements = try #require(policy["Statement"]?.elements)
    #expect(statements.flatMap { $0["Action"]?.elements ?? [] }.map { $0.text } == ["s3:PutObject"])
  }

  /// A day of a pad: 100 signatures, spread over it.
  @Test func `a pad costs what the page says`() throws {
    let page = try text("README.md")
    let second: Int64 = 1_000_000_000
    var publisher = PresencePublisher(seed: 3)
    var status = Presence(
      pad: PadStatus(state: "idle", touch: true, panel: true), freeBytes: 3_221_225_472,
      expiry: 2_000_000_000)
    var now: Int64 = 0
    var (messages, bytes) = (0, 0)
    let topic = "paraph/locker-17/status"
    func pass(until end: Int64) {
      while publisher.due <= end {
        now = max(now, publisher.due)
        guard let message = publisher.next(at: now) else { break }
        let text = message.json(
          device: "locker-17", connected: "2026-11-24T08:00:00.000Z",
          at: 1_800_000_000 * second + now)
        messages += 1
        // PUBLISH of QoS 1, and its acknowledgement (MQTT 5, sections 3.3 and 3.4).
        bytes += 7 + topic.utf8.count + text.count + 4
      }
      now = end
    }
    publisher.update(status)
    publisher.connected()
    for signature in 0..<100 as Range<Int64> {
      let begin = signature * 864 * second
      for (after, state, waiting) in [
        (0, "invited", 0), (3, "signing", 0), (12, "confirming", 0), (13, "saved", 1),
        (14, "saved", 0), (17, "idle", 0),
      ] as [(Int64, String, Int)] {
        pass(until: begin + after * second)
        status.pad.state = state
        status.waiting = waiting
        if waiting > 0 { status.lastSignature = 1_800_000_000 + begin / second }
        publisher.update(status)
      }
    }
    pass(until: 86_400 * second)
    let folder = TemporaryFolder()
    var spool = Publisher(at: folder.path + "/spool")
    _ = try spool.prepare()
    let manifest = try Fixtures.publish(&spool).bytes.count
    let name = "paraph/locker-17/signatures/0192f0c1-2d3e-7a4b-8c5d-6e7f80910203/manifest"
    let deliveries = 100 * (20_000 + manifest + 2 * (7 + name.utf8.count + 4))
    let row = { (text: String) -> [Double] in
      let line = page.split(separator: "\n").first { $0.hasPrefix("| " + text) } ?? ""
      return line.split(separator: "|").dropFirst().compactMap { cell in
        let words = cell.split(separator: " ")
        guard let number = words.first.flatMap({ Double($0.filter { $0 != "," }) }) else {
          return nil
        }
        return number * (words.last == "MB" ? 1_000_000 : words.last == "kB" ? 1000 : 1)
      }
    }
    let (signatures, statuses) = (row("pictures"), row("status, "))
    try #require(signatures.count == 2 && statuses.count == 2, "\(signatures) \(statuses)")
    #expect(
      signatures[0] == 200 && abs(signatures[1] / Double(deliveries) - 1) < 0.1, "\(deliveries)")
    #expect(abs(statuses[0] / Double(messages) - 1) < 0.1, "\(messages)")
    #expect(abs(statuses[1] / Double(bytes) - 1) < 0.1, "\(bytes)")
    // PINGREQ and PINGRESP have two bytes each (MQTT 5, sections 3.12 and 3.13).
    let pings = 86_400 / Double(MQTTClient.keepAlive)
    let keepAlives = row("keep-alive, every \(MQTTClient.keepAlive) s ")
    try #require(keepAlives.count == 2, "\(keepAlives)")
    #expect(keepAlives[0] == pings && abs(keepAlives[1] / (4 * pings) - 1) < 0.1)
  }

  @Test func `a pad sends something before a proxy ends its connection as idle`() {
    // HAProxy's examples have 50 s.
    let second: Int64 = 1_000_000_000
    #expect(Int64(MQTTClient.keepAlive) * second + MQTTSink.workInterval < 50 * second)
  }
}
