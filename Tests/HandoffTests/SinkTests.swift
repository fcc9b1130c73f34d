import Configuration
import Linux
import Retry
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// A sink as its worker makes it.
@Suite struct SinkTests {
  let folder = TemporaryFolder()

  @Test(
    arguments: [
      ("first-pause = 1d\nlongest-pause = 7d", 3600, 3600), ("longest-pause = 7d", 5, 3600),
      ("first-pause = 1ms\nlongest-pause = 2ms", 1, 1), ("longest-pause = 10s", 5, 10),
    ] as [(String, Int64, Int64)])
  func `the pauses of a connection are from a second to an hour, whatever those of deliveries are`(
    lines: String, first: Int64, longest: Int64
  ) throws {
    let configuration = try HandoffConfiguration(
      "[handoff]\n\(lines)\n[sink one]\ntype = directory\npath = /one\n", file: "test")
    let backoff = Backoff(connectionsOf: configuration)
    #expect(backoff.first == first * 1_000_000_000 && backoff.longest == longest * 1_000_000_000)
  }

  @Test func `a broker's sink connects again within longest-pause, and at once on request`() throws
  {
    MQTTClient.prepareLibrary()
    // A connection that fails at once.
    let text = """
      [handoff]
      longest-pause = 10s
      [sink broker]
      type = mqtt
      host = localhost
      ca-file = /nowhere
      topic = t
      """
    let configuration = try HandoffConfiguration(text, file: "test")
    let health = SinkHealth()
    let sink = try Sink(
      configuration.sinks[0], spool: folder.path + "/spool", try Cancellation(), health,
      Backoff(connectionsOf: configuration))
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    let item = try Item(id, in: Spool(at: publisher.path).new)
    for _ in 0..<6 {
      let outcome = sink.deliver(item)
      #expect(outcome != .delivered)
    }
    let second: Int64 = 1_000_000_000
    // After the delivery's own retry, which has as long.
    var wait = sink.wait
    var pause = try #require(wait.nanoseconds)
    #expect(pause <= 20 * second)
    #expect(health.failureCounts.reduce(0, +) == 0)
    for count in 1...3 as ClosedRange<UInt64> {
      sink.retryNow()
      sink.work()
      wait = sink.wait
      pause = try #require(wait.nanoseconds)
      #expect(pause <= 10 * second)
      #expect(health.failureCounts.reduce(0, +) == count)
    }
  }
}
