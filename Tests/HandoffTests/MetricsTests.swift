import Testing

@testable import Handoff

@Suite struct MetricsTests {
  @Test func `what was counted is written as Prometheus reads it`() {
    var metrics = Metrics(sinks: ["one", "two"])
    metrics.countDelivery(0)
    metrics.countDelivery(0)
    metrics.countFailure(1)
    metrics.countRefusal(1)
    metrics.countSetAside()
    let text = metrics.text([.init(waiting: 3, isPaused: false), .init(waiting: 0, isPaused: true)])
    #expect(
      text == """
        # HELP paraph_handoff_delivered_total Signatures that a sink has taken.
        # TYPE paraph_handoff_delivered_total counter
        paraph_handoff_delivered_total{sink="one"} 2
        paraph_handoff_delivered_total{sink="two"} 0
        # HELP paraph_handoff_failed_attempts_total Attempts that will be made again.
        # TYPE paraph_handoff_failed_attempts_total counter
        paraph_handoff_failed_attempts_total{sink="one"} 0
        paraph_handoff_failed_attempts_total{sink="two"} 1
        # HELP paraph_handoff_refused_total Signatures that a sink will never take.
        # TYPE paraph_handoff_refused_total counter
        paraph_handoff_refused_total{sink="one"} 0
        paraph_handoff_refused_total{sink="two"} 1
        # HELP paraph_handoff_waiting Signatures that a sink has not taken yet.
        # TYPE paraph_handoff_waiting gauge
        paraph_handoff_waiting{sink="one"} 3
        paraph_handoff_waiting{sink="two"} 0
        # HELP paraph_handoff_sink_paused 1 while a sink is not asked because it fails.
        # TYPE paraph_handoff_sink_paused gauge
        paraph_handoff_sink_paused{sink="one"} 0
        paraph_handoff_sink_paused{sink="two"} 1
        # HELP paraph_handoff_set_aside_total Signatures and strange entries moved to failed/.
        # TYPE paraph_handoff_set_aside_total counter
        paraph_handoff_set_aside_total 1

        """)
  }
}
