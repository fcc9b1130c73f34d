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
      Backoff(configuration))
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
