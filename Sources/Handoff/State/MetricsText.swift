internal import Configuration

/// Metrics in Prometheus' text exposition format, version 0.0.4, which node_exporter reads. The last line is a comment
/// there, and tells people that the text is whole. Labels need no escaping: they are the names
/// of sinks, states and kinds.
struct MetricsText {
  private(set) var text = ""

  /// The states of org.paraph.Pad, and of a pad that is not there.
  private static let states = [
    "idle", "reading", "invited", "signing", "confirming", "saved", "cancelled", "timed_out",
    "message", "question", "out_of_service", PadStatus.unknownState,
  ]
  private static let second: Int64 = 1_000_000_000

  init(_ metrics: Metrics, _ observed: Metrics.Observation) {
    addSinks(metrics, observed.sinks)
    single(
      "paraph_handoff_set_aside_total", "counter",
      "Signatures and foreign entries that were moved to failed/.",
      Int64(clamping: metrics.failedItems))
    single(
      "paraph_handoff_heartbeat_timestamp_seconds", "gauge", "When this file was written.",
      observed.time / Self.second)
    family("paraph_build_info", "gauge", "The version of paraph-handoff.") {
      [("version=\"\(DaemonArguments.version)\"", 1)]
    }
    add(observed.spool, at: observed.time)
    single(
      "paraph_spool_unreadable", "gauge",
      "1 while the spool, or a signature in it, cannot be read or moved.",
      observed.isSpoolUnreadable ? 1 : 0)
    if let pad = observed.pad { add(pad) }
    single(
      "paraph_certificate_expiry_timestamp_seconds", "gauge",
      "When the first of the certificates expires.", observed.expiry)
    single(
      "paraph_certificate_unreadable", "gauge", "How many of the certificates cannot be read.",
      observed.unreadableCertificates.map { Int64($0) })
    text += metrics.timestamps?.text ?? ""
    text += "# EOF\n"
  }

  private mutating func addSinks(_ metrics: Metrics, _ gauges: [Metrics.Gauges]) {
    let sinks = metrics.sinks
    func of(_ values: [Int64?]) -> () -> [(String, Int64)] {
      {
        zip(sinks, values).compactMap { sink, value in value.map { ("sink=\"\(sink.name)\"", $0) } }
      }
    }
    family(
      "paraph_handoff_delivered_total", "counter", "Signatures that a sink accepted.",
      of(sinks.map { Int64(clamping: $0.delivered) }))
    family(
      "paraph_handoff_failed_attempts_total", "counter", "Failed attempts that are retried.",
      of(sinks.map { Int64(clamping: $0.failures) }))
    family(
      "paraph_handoff_failures_total", "counter",
      "Failed deliveries that are retried, and failed connections, by kind."
    ) {
      zip(sinks, gauges).flatMap { sink, gauges in
        zip(FailureKind.allCases, zip(sink.kinds, gauges.connectionFailures)).map { kind, counts in
          (
            "sink=\"\(sink.name)\",kind=\"\(kind.rawValue)\"",
            Int64(clamping: counts.0 &+ counts.1)
          )
        }
      }
    }
    family(
      "paraph_handoff_refused_total", "counter",
      "Signatures that a sink rejected permanently, or that reached maximum-age.",
      of(sinks.map { Int64(clamping: $0.refusals) }))
    family(
      "paraph_handoff_client_conflicts_total", "counter",
      "Connections that another client with the same client id ended.",
      of(gauges.map { $0.isConnected == nil ? nil : Int64($0.conflicts) }))
    family(
      "paraph_handoff_rejected_status_total", "counter",
      "Status messages that a broker rejected.",
      of(gauges.map { $0.isConnected == nil ? nil : Int64($0.rejectedStatus) }))
    family(
      "paraph_handoff_last_success_timestamp_seconds", "gauge",
      "When a sink accepted the last signature of this run.",
      of(sinks.map { $0.lastSuccess.map { $0 / Self.second } }))
    family(
      "paraph_handoff_waiting", "gauge", "Signatures that a sink does not have yet.",
      of(gauges.map { Int64($0.waiting) }))
    family(
      "paraph_handoff_sink_up", "gauge",
      "1 while a sink is connected, where it keeps a connection, and failures do not pause it.",
      of(gauges.map { $0.isPaused || $0.isConnected == false ? 0 : 1 }))
    family(
      "paraph_handoff_sink_paused", "gauge",
      "1 while failures pause a sink: its circuit breaker is open or half-open.",
      of(gauges.map { $0.isPaused ? 1 : 0 }))
    family(
      "paraph_handoff_sink_held", "gauge", "1 while a sink is held.",
      of(gauges.map { $0.isHeld ? 1 : 0 }))
  }

  private mutating func add(_ spool: SpoolFigures, at time: Int64) {
    family("paraph_spool_items", "gauge", "Signatures in a folder of the spool.") {
      let others = [
        ("state=\"failed\"", Int64(spool.failed)), ("state=\"delivered\"", Int64(spool.delivered)),
      ]
      guard let waiting = spool.waiting else { return others }
      return [("state=\"new\"", Int64(waiting))] + others
    }
    let age = spool.oldest.map {
      max(0, time.subtractingReportingOverflow($0).partialValue) / Self.second
    }
    single(
      "paraph_spool_oldest_age_seconds", "gauge",
      "The age of the oldest signature that waits; 0: none waits.",
      spool.waiting == nil ? nil : age ?? 0)
    single(
      "paraph_spool_free_bytes", "gauge", "Free bytes of the spool's filesystem.", spool.freeBytes)
    single(
      "paraph_spool_free_inodes", "gauge", "Free inodes of the spool's filesystem.", spool.freeFiles
    )
    single(
      "paraph_spool_last_signature_timestamp_seconds", "gauge",
      "When the last signature was published.", spool.lastSignature)
  }

  private mutating func add(_ pad: PadStatus) {
    let state = Self.states.contains(pad.state) ? pad.state : PadStatus.unknownState
    family("paraph_pad_state", "gauge", "1 for the state of the pad.") {
      Self.states.map { ("state=\"\($0)\"", $0 == state ? 1 : 0) }
    }
    single(
      "paraph_pad_touch", "gauge", "1 while the pad reads a touchscreen.",
      pad.touch.map { $0 ? 1 : 0 })
    single(
      "paraph_pad_panel", "gauge", "1 while the pad has a panel.", pad.panel.map { $0 ? 1 : 0 })
  }

  /// Without a value, the family is missing.
  private mutating func single(_ name: String, _ kind: String, _ help: String, _ value: Int64?) {
    guard let value else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n\(name) \(value)\n"
  }

  private mutating func family(
    _ name: String, _ kind: String, _ help: String, _ values: () -> [(String, Int64)]
  ) {
    let values = values()
    if values.isEmpty { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    for (labels, value) in values { text += "\(name){\(labels)} \(value)\n" }
  }
}
