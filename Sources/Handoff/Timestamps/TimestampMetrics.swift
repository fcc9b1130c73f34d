/// Counters of one run about time stamps, in Prometheus' text format.
struct TimestampMetrics {
  var stamped: UInt64 = 0
  var failures: UInt64 = 0
  var missed: UInt64 = 0
  /// Items that sinks do not have yet, items without a time stamp, and whether failures pause
  /// fetches.
  var held = 0, waiting = 0
  var isPaused = false

  var text: String {
    var text = ""
    func family(_ name: String, _ kind: String, _ help: String, _ value: UInt64) {
      let name = "paraph_handoff_timestamp\(name)"
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n\(name) \(value)\n"
    }
    family("s_total", "counter", "Time stamps that were fetched, checked and stored.", stamped)
    family("_failed_attempts_total", "counter", "Failed attempts to fetch one.", failures)
    family(
      "_missed_total", "counter", "Signatures that sinks could take without a time stamp.", missed)
    family(
      "_waiting", "gauge", "Signatures in the spool without a time stamp.",
      UInt64(clamping: waiting))
    family(
      "_held", "gauge", "Signatures that sinks do not get before their time stamp.",
      UInt64(clamping: held))
    family(
      "_paused", "gauge",
      "1 while failures pause the authority: its circuit breaker is open or half-open.",
      isPaused ? 1 : 0)
    return text
  }
}
