internal import CLinux
internal import Linux

/// Counters of one run, written to a file in Prometheus' text format. They contain no personal data.
final class Metrics {
  private struct Sink {
    let name: String
    var delivered: UInt64 = 0
    var failures: UInt64 = 0
    var refusals: UInt64 = 0
  }

  /// The current state of a sink.
  struct Gauges {
    var waiting: Int
    var isPaused: Bool
    var isHeld = false
  }

  /// Nil: nothing is written.
  private let path: String?
  private var sinks: [Sink]
  private var failedItems: UInt64 = 0
  /// Nil: no time stamps are configured.
  var timestamps: TimestampMetrics?
  private var isChanged = true
  private var earliest: Int64 = 0

  private static let interval: Int64 = 10_000_000_000

  init(sinks names: [String], path: String? = nil) {
    sinks = names.map { Sink(name: $0) }
    self.path = path
  }

  func countDelivery(_ sink: Int) {
    sinks[sink].delivered += 1
    isChanged = true
  }

  func countFailure(_ sink: Int) {
    sinks[sink].failures += 1
    isChanged = true
  }

  func countRefusal(_ sink: Int) {
    sinks[sink].refusals += 1
    isChanged = true
  }

  /// Counts an item or foreign entry that was moved to `failed`.
  func countFailedItem() {
    failedItems += 1
    isChanged = true
  }

  /// A gauge changed.
  func setChanged() { isChanged = true }

  /// When the file is due: every 10 seconds at most, and only after a change.
  var due: Int64 { isChanged && path != nil ? earliest : .max }

  /// Writes the file and renames it, as node-exporter's textfile collector requires.
  func write(_ gauges: [Gauges], at now: Int64, _ problems: Problems) {
    earliest = now + Self.interval
    isChanged = false
    guard let path else { return }
    let temporary = path + ".new"
    do throws(SystemError) {
      try SystemError.naming("write", temporary) { () throws(Errno) in
        let file = try FileDescriptor(
          opening: temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o644)
        try file.setMode(0o644)
        try file.writeAll(text(gauges))
      }
      try SystemError.naming("rename", path) { () throws(Errno) in
        _ = try Errno.check { unsafe rename(temporary, path) }
      }
      problems.resolve(.metrics)
    } catch {
      // Written again after the interval.
      isChanged = true
      problems.report(.metrics, error.text)
    }
  }

  /// The exposition format, version 0.0.4. The names of sinks need no escaping.
  func text(_ gauges: [Gauges]) -> String {
    var text = ""
    func family(_ name: String, _ kind: String, _ help: String, _ values: [UInt64]) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
      for (sink, value) in zip(sinks, values) {
        text += "\(name){sink=\"\(sink.name)\"} \(value)\n"
      }
    }
    family(
      "paraph_handoff_delivered_total", "counter", "Signatures that a sink accepted.",
      sinks.map { $0.delivered })
    family(
      "paraph_handoff_failed_attempts_total", "counter", "Failed attempts that are retried.",
      sinks.map { $0.failures })
    family(
      "paraph_handoff_refused_total", "counter",
      "Signatures that a sink rejected permanently, or that reached maximum-age.",
      sinks.map { $0.refusals })
    family(
      "paraph_handoff_waiting", "gauge", "Signatures that a sink does not have yet.",
      gauges.map { UInt64(clamping: $0.waiting) })
    family(
      "paraph_handoff_sink_paused", "gauge",
      "1 while the circuit breaker of a sink is open or half-open.",
      gauges.map { $0.isPaused ? 1 : 0 })
    family(
      "paraph_handoff_sink_held", "gauge", "1 while a sink is held.",
      gauges.map { $0.isHeld ? 1 : 0 })
    let name = "paraph_handoff_set_aside_total"
    text += "# HELP \(name) Signatures and foreign entries that were moved to failed/.\n"
    return text + "# TYPE \(name) counter\n\(name) \(failedItems)\n" + (timestamps?.text ?? "")
  }
}
