internal import Linux
internal import Spool

/// Logs and counts the results of deliveries.
struct DeliveryLog {
  private let names: [String]
  private let problems: Problems
  private let metrics: Metrics

  init(sinks names: [String], _ problems: Problems, _ metrics: Metrics) {
    self.names = names
    self.problems = problems
    self.metrics = metrics
  }

  /// The items that wait, and those of each held sink.
  func summary(_ count: Int, held: [(sink: Int, count: Int)]) {
    let sinks = names.count == 1 ? "1 sink" : "\(names.count) sinks"
    problems.log(.info, "\(sinks), \(Self.waiting(count))")
    for (sink, count) in held {
      problems.log(.notice, "sink \(names[sink]): held; \(Self.waiting(count))")
    }
  }

  /// A request to flush a sink.
  func flushed(_ sink: Int, _ count: Int, isHeld: Bool) {
    let end = isHeld ? "; the request to flush it was ignored" : ", retried on request"
    problems.log(
      .notice, "sink \(names[sink]): \(isHeld ? "held; " : "")\(Self.waiting(count))\(end)")
  }

  func delivered(_ entry: QueueEntry, to sink: Int, attempt: Int, at now: Int64) {
    metrics.countDelivery(sink)
    problems.log(
      .info,
      "delivered \(entry.id.text) to \(names[sink]) (sequence \(entry.sequence), "
        + "attempt \(attempt), monotonic \(now))")
  }

  /// A temporary failure. `delay`: until the retry, in nanoseconds.
  func failed(
    _ entry: QueueEntry, _ reason: String, of sink: Int, attempts: Int, delay: Int64
  ) {
    metrics.countFailure(sink)
    postponed(entry, reason, of: sink, attempts: attempts, delay: delay)
  }

  /// An item that could not be read, which is not the sink's failure. `delay`: until the retry, in
  /// nanoseconds.
  func postponed(
    _ entry: QueueEntry, _ reason: String, of sink: Int, attempts: Int, delay: Int64
  ) {
    problems.log(
      .warning,
      "\(names[sink]): delivery of \(entry.id.text) failed (\(reason)); attempt \(attempts), "
        + "retry in \(Self.seconds(delay)) s")
  }

  /// A provisional rejection. `delay`: until the retry, in nanoseconds.
  func rejected(
    _ entry: QueueEntry, _ reason: String, of sink: Int, attempts: Int, delay: Int64
  ) {
    metrics.countFailure(sink)
    problems.log(
      .warning,
      "\(names[sink]): rejected \(entry.id.text) (\(reason)); attempt \(attempts), "
        + "retry in \(Self.seconds(delay)) s")
  }

  /// Rejections opened the circuit breaker of a sink.
  func paused(_ sink: Int, _ reason: String) {
    problems.log(
      .error,
      "\(names[sink]): rejected \(CircuitBreaker.failureThreshold) different signatures in a row "
        + "(\(reason)); paused, no signature fails; check the receiver and this sink's configuration"
    )
  }

  func rejectedPermanently(_ entry: QueueEntry, _ reason: String, of sink: Int) {
    metrics.countRefusal(sink)
    problems.log(.error, "\(names[sink]): rejected \(entry.id.text) permanently (\(reason))")
  }

  func expired(_ entry: QueueEntry, _ reason: String, of sink: Int) {
    metrics.countRefusal(sink)
    problems.log(.error, "\(names[sink]): gave up \(entry.id.text) (\(reason))")
  }

  private static func waiting(_ count: Int) -> String {
    count == 1 ? "1 signature waits" : "\(count) signatures wait"
  }

  /// Rounded up.
  private static func seconds(_ nanoseconds: Int64) -> Int64 {
    (nanoseconds + 999_999_999) / 1_000_000_000
  }
}
