/// Counters of one run, in Prometheus' text format. Nothing in them tells who signed what.
struct Metrics {
  private struct Sink {
    let name: String
    var delivered: UInt64 = 0
    var failures: UInt64 = 0
    var refusals: UInt64 = 0
  }

  /// What is true at the moment, for each sink.
  struct Gauges {
    var waiting: Int
    var isPaused: Bool
  }

  private var sinks: [Sink]
  private var setAside: UInt64 = 0
  /// Whether anything was counted since the file was written.
  var isChanged = true

  init(sinks names: [String]) { sinks = names.map { Sink(name: $0) } }

  mutating func countDelivery(_ sink: Int) {
    sinks[sink].delivered += 1
    isChanged = true
  }

  mutating func countFailure(_ sink: Int) {
    sinks[sink].failures += 1
    isChanged = true
  }

  mutating func countRefusal(_ sink: Int) {
    sinks[sink].refusals += 1
    isChanged = true
  }

  mutating func countSetAside() {
    setAside += 1
    isChanged = true
  }

  /// The exposition format, version 0.0.4. Sinks' names need no escaping.
  func text(_ gauges: [Gauges]) -> String {
    var text = ""
    func family(_ name: String, _ kind: String, _ help: String, _ values: [UInt64]) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
      for (sink, value) in zip(sinks, values) {
        text += "\(name){sink=\"\(sink.name)\"} \(value)\n"
      }
    }
    family(
      "paraph_handoff_delivered_total", "counter", "Signatures that a sink has taken.",
      sinks.map { $0.delivered })
    family(
      "paraph_handoff_failed_attempts_total", "counter", "Attempts that will be made again.",
      sinks.map { $0.failures })
    family(
      "paraph_handoff_refused_total", "counter", "Signatures that a sink will never take.",
      sinks.map { $0.refusals })
    family(
      "paraph_handoff_waiting", "gauge", "Signatures that a sink has not taken yet.",
      gauges.map { UInt64(clamping: $0.waiting) })
    family(
      "paraph_handoff_sink_paused", "gauge", "1 while a sink is not asked because it fails.",
      gauges.map { $0.isPaused ? 1 : 0 })
    let aside = "paraph_handoff_set_aside_total"
    text += "# HELP \(aside) Signatures and strange entries moved to failed/.\n"
    return text + "# TYPE \(aside) counter\n\(aside) \(setAside)\n"
  }
}
