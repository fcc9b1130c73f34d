import Configuration
import JSON
import Linux
import Spool

/// Examines the records of deliveries that failed. The findings name no signature and no person.
struct DeliveryExamination {
  private(set) var findings: [Finding] = []

  /// The limit of failed signatures whose reasons are read.
  private static let reasonLimit = 100

  init(_ settings: DoctorSettings) {
    guard let handoff = settings.handoff else { return }
    do throws(SpoolError) {
      let spool = try Spool(at: handoff.spool)
      try waiting(spool, handoff.sinks.map { $0.name })
      try setAside(spool)
    } catch {
      // The findings of the spool report it.
    }
  }

  private struct Sink {
    var waiting = 0
    /// Rejected by the sink, and not finished by the others.
    var rejected = 0
    var rejection: String?
    var failing = 0
    var attempts = 0
    var reason: String?
  }

  private mutating func waiting(
    _ spool: borrowing Spool, _ names: [String]
  ) throws(SpoolError) {
    var sinks = names.map { (name: $0, state: Sink()) }
    for id in try Spool.ids(in: spool.new) {
      let states = try spool.states(of: id)
      for index in sinks.indices {
        let state = states[sinks[index].name] ?? SinkState()
        if state.outcome == .never {
          sinks[index].state.rejected += 1
          sinks[index].state.rejection = state.reason
        }
        if state.outcome != .pending { continue }
        sinks[index].state.waiting += 1
        if state.attempts == 0 { continue }
        sinks[index].state.failing += 1
        if state.attempts >= sinks[index].state.attempts {
          sinks[index].state.attempts = state.attempts
          sinks[index].state.reason = state.reason
        }
      }
    }
    findings += sinks.flatMap { DeliveryExamination.findings($0.name, $0.state) }
  }

  private static func findings(_ name: String, _ sink: Sink) -> [Finding] {
    var findings: [Finding] = []
    if sink.rejected > 0 {
      findings.append(
        Finding(
          .delivery, .wrong,
          "\(name): \(sink.rejected) signatures rejected: \(sink.rejection ?? "no reason recorded")",
          advice:
            "after the other sinks they go to failed/; paraph spool retry retries them",
          details: [("sink", .text(name)), ("rejected", .integer(sink.rejected))]))
      if sink.waiting == 0 { return findings }
    }
    return findings + [pending(name, sink)]
  }

  private static func pending(_ name: String, _ sink: Sink) -> Finding {
    let details: [(String, JSONValue)] = [
      ("sink", .text(name)), ("waiting", .integer(sink.waiting)),
      ("failing", .integer(sink.failing)), ("attempts", .integer(sink.attempts)),
      ("reason", sink.reason.map { .text($0) } ?? .null),
    ]
    if sink.failing > 0 {
      return Finding(
        .delivery, .wrong,
        "\(name): \(sink.failing) of \(sink.waiting) signatures failed, \(sink.attempts) times: "
          + (sink.reason ?? "no reason recorded"),
        advice: "they are retried; systemctl reload paraph-handoff retries them now",
        details: details)
    }
    return Finding(
      .delivery, .right,
      sink.waiting == 0 ? "\(name): nothing waits" : "\(name): \(sink.waiting) wait",
      details: details)
  }

  private mutating func setAside(_ spool: borrowing Spool) throws(SpoolError) {
    var counts: [String: Int] = [:]
    for id in try Spool.ids(in: spool.failed).prefix(Self.reasonLimit) {
      let reason = try spool.reason(of: id.text) ?? "no reason recorded"
      counts[String(reason.prefix { $0 != "\n" }), default: 0] += 1
    }
    for (reason, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      findings.append(
        Finding(
          .delivery, .wrong, "\(count) signatures in failed/: \(reason)",
          advice: "paraph spool retry retries them, paraph spool drop removes them",
          details: [("set_aside", .integer(count)), ("reason", .text(reason))]))
    }
  }
}
