import SpoolFixtures
import Testing

@testable import Handoff

@Suite struct MetricsTests {
  @Test func `counters are written in Prometheus's format`() {
    let metrics = Metrics(sinks: ["one", "two"])
    metrics.countDelivery(0)
    metrics.countDelivery(0)
    metrics.countFailure(1)
    metrics.countRefusal(1)
    metrics.countFailedItem()
    let text = metrics.text([
      .init(waiting: 3, isPaused: false, isHeld: true), .init(waiting: 0, isPaused: true),
    ])
    #expect(
      text == """
        # HELP paraph_handoff_delivered_total Signatures that a sink accepted.
        # TYPE paraph_handoff_delivered_total counter
        paraph_handoff_delivered_total{sink="one"} 2
        paraph_handoff_delivered_total{sink="two"} 0
        # HELP paraph_handoff_failed_attempts_total Failed attempts that are retried.
        # TYPE paraph_handoff_failed_attempts_total counter
        paraph_handoff_failed_attempts_total{sink="one"} 0
        paraph_handoff_failed_attempts_total{sink="two"} 1
        # HELP paraph_handoff_refused_total Signatures that a sink rejected permanently, or that reached maximum-age.
        # TYPE paraph_handoff_refused_total counter
        paraph_handoff_refused_total{sink="one"} 0
        paraph_handoff_refused_total{sink="two"} 1
        # HELP paraph_handoff_waiting Signatures that a sink does not have yet.
        # TYPE paraph_handoff_waiting gauge
        paraph_handoff_waiting{sink="one"} 3
        paraph_handoff_waiting{sink="two"} 0
        # HELP paraph_handoff_sink_paused 1 while the circuit breaker of a sink is open or half-open.
        # TYPE paraph_handoff_sink_paused gauge
        paraph_handoff_sink_paused{sink="one"} 0
        paraph_handoff_sink_paused{sink="two"} 1
        # HELP paraph_handoff_sink_held 1 while a sink is held.
        # TYPE paraph_handoff_sink_held gauge
        paraph_handoff_sink_held{sink="one"} 1
        paraph_handoff_sink_held{sink="two"} 0
        # HELP paraph_handoff_set_aside_total Signatures and foreign entries that were moved to failed/.
        # TYPE paraph_handoff_set_aside_total counter
        paraph_handoff_set_aside_total 1

        """)
  }

  @Test func `the file is written every ten seconds at most, and only after a change`() {
    let folder = TemporaryFolder()
    let metrics = Metrics(sinks: ["one"], path: folder.path + "/paraph.prom")
    #expect(metrics.due == 0)
    metrics.write([.init(waiting: 0, isPaused: false)], at: 1_000_000_000, Problems { _, _ in })
    #expect(Fixtures.exists(folder.path + "/paraph.prom"))
    #expect(metrics.due == .max)
    metrics.countDelivery(0)
    #expect(metrics.due == 11_000_000_000)
  }

  @Test func `a write that fails is repeated after the interval`() {
    let folder = TemporaryFolder()
    let metrics = Metrics(sinks: ["one"], path: folder.path + "/none/paraph.prom")
    metrics.write([.init(waiting: 0, isPaused: false)], at: 1_000_000_000, Problems { _, _ in })
    #expect(metrics.due == 11_000_000_000)
  }
}
