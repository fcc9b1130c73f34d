internal import Configuration
internal import Linux
internal import Spool

/// Begins and completes deliveries. Connects the spool, the queues and the records; owns no thread.
final class Scheduler {
  private let configuration: HandoffConfiguration
  private let names: [String]
  private let problems: Problems
  private let metrics: Metrics
  private let retention: Retention
  private let crashes: CrashRecords
  private var scanner: SpoolScanner
  private var queue: ActiveQueue
  private var suspects: CrashSuspects
  private var writer: StateWriter
  private var hasSuspects = false
  /// Whether the number of waiting items is logged after the next scan.
  private var needsSummary = true
  private var hasScanned = false
  /// When unrecorded deliveries are recorded again.
  private var recordDue: Int64 = 0

  private static let recordDelay: Int64 = 5_000_000_000

  init(
    _ configuration: HandoffConfiguration, _ limits: Delivery.Limits, _ retention: Retention,
    _ problems: Problems, _ metrics: Metrics
  ) throws(Errno) {
    self.configuration = configuration
    names = configuration.sinks.map { $0.name }
    self.retention = retention
    self.problems = problems
    self.metrics = metrics
    crashes = CrashRecords(spool: configuration.spool)
    scanner = SpoolScanner(configuration, crashes, problems, metrics, try SpoolWatch())
    queue = ActiveQueue(
      sinks: names, held: configuration.sinks.filter { $0.isHeld }.map { $0.name },
      Backoff(first: configuration.firstPause, longest: configuration.longestPause),
      seed: try Randomness.bits())
    suspects = CrashSuspects(crashes, sinks: names, timeLimit: limits.alone)
    writer = StateWriter(configuration, limits, crashes, retention, problems, metrics)
  }

  /// For poll(2): readable when `readNotices` has something to do.
  var descriptor: Int32 { scanner.descriptor }
  var isLockedElsewhere: Bool { scanner.isLockedElsewhere }
  var isBusy: Bool { queue.isBusy }
  /// Whether every item is delivered or waits for its retry delay.
  var isIdle: Bool { scanner.unread.isEmpty && suspects.isEmpty && !isBusy }
  var unread: [ItemID] { scanner.unread }
  var gauges: [Metrics.Gauges] { queue.gauges }
  var uncommittedCount: Int { writer.uncommittedCount }
  /// The number of items that this run moved to `failed`.
  var failedCount: Int { writer.failedCount }
  /// The number of deliveries and problems that are left.
  var remaining: Int {
    scanner.unread.count + suspects.count + queue.count + problems.undeliveredCount
  }

  func isAlone(at now: Int64) -> Bool { suspects.isAlone(at: now) }

  // MARK: Finding items

  /// Does what is due and passes deliveries to `deliver`. Returns when it must be called again.
  func step(at now: Int64, _ deliver: (Int, QueueEntry) -> Void) -> Int64 {
    defer { releaseLock() }
    if scanner.due <= now { scan(at: now) }
    if isLockedElsewhere { return now }
    if retention.due <= now { retention.purge(at: now) }
    beginSuspect(at: now, deliver)
    let isAlone = isAlone(at: now)
    if !isAlone { enqueue(scanner.readNext(at: now), at: now) }
    if needsSummary && hasScanned && scanner.unread.isEmpty { logSummary() }
    if recordDue <= now { recordDeliveries(at: now) }
    var due = min(scanner.due, retention.due)
    if queue.hasUnrecorded { due = min(due, recordDue) }
    if isAlone { return min(due, suspects.aloneUntil ?? now) }
    if scanner.allowsDeliveries(at: now) { due = min(due, beginDeliveries(at: now, deliver)) }
    return scanner.unread.isEmpty ? due : now
  }

  private func scan(at now: Int64) {
    do throws(SpoolError) {
      guard let spool = try scanner.open(at: now) else { return }
      if !hasSuspects {
        hasSuspects = true
        try addSuspects(spool, at: now)
      }
      try scanner.scan(spool, at: now)
      hasScanned = true
      // A permission may have been corrected.
      for (change, result) in writer.commitAgain(at: now) { leave(change, result) }
      problems.resolve(.spool)
    } catch {
      problems.report(.spool, error.text)
      scanner.retryScan(at: now)
    }
  }

  /// Reads the items whose delivery was interrupted by a crash, before all others.
  private func addSuspects(_ spool: borrowing Spool, at now: Int64) throws(SpoolError) {
    // Those of a held sink stay recorded until it is resumed.
    let deliveries = crashes.deliveries().filter { delivery in
      !(sink(of: delivery).map { queue.isHeld($0) } ?? false)
    }
    if deliveries.isEmpty { return }
    scanner.beginReading()
    defer { scanner.endReading() }
    for delivery in deliveries where delivery.counter.isExhausted {
      guard sink(of: delivery) != nil, scanner.add(delivery.id) else { continue }
      let reason = CrashRecords.reason("it was delivered to \(delivery.sink)")
      commit(.failed(delivery.id, reason: reason), lastSink: nil, at: now)
    }
    for delivery in deliveries where !delivery.counter.isExhausted || sink(of: delivery) == nil {
      if try !addSuspect(delivery, in: spool, at: now) {
        var counter = delivery.counter
        counter.clear()
      }
    }
  }

  private func sink(of delivery: CrashRecords.Delivery) -> Int? {
    names.firstIndex { $0.isSame(as: delivery.sink) }
  }

  /// Returns false if the delivery is no suspect: it was recorded, or its sink is not configured.
  private func addSuspect(
    _ delivery: CrashRecords.Delivery, in spool: borrowing Spool, at now: Int64
  ) throws(SpoolError) -> Bool {
    guard let sink = sink(of: delivery), delivery.counter.count > 0 else { return false }
    var entry = suspects.entry(of: delivery.id)
    if entry == nil, scanner.add(delivery.id),
      let finding = try scanner.read(delivery.id, in: spool)
    {
      enqueue([finding], at: now)
      if case .item(let read, _) = finding { entry = read }
    }
    guard let entry, queue.cancel(entry, for: sink) else { return false }
    suspects.append(.init(sink: sink, entry: entry, counter: delivery.counter))
    return true
  }

  private func enqueue(_ findings: [SpoolScanner.Finding], at now: Int64) {
    if findings.isEmpty { return }
    var items: [(entry: QueueEntry, states: [String: SinkState])] = []
    for finding in findings {
      switch finding {
      case .item(let entry, let states): items.append((entry, states))
      case .invalid(let id, let reason):
        commit(.failed(id, reason: reason), lastSink: nil, at: now)
      }
    }
    for resolution in queue.enqueue(items, at: now) {
      commit(resolution.change, lastSink: resolution.lastSink, at: now)
    }
    metrics.setChanged()
  }

  /// Enqueues the items that were published since the last call.
  func readNotices(at now: Int64) {
    for finding in scanner.readNotices(at: now, isDeferred: isAlone(at: now)) {
      if case .item(let entry, let states) = finding, states.isEmpty {
        queue.enqueueNew(entry)
        metrics.setChanged()
      } else {
        // An item that is retried has records.
        enqueue([finding], at: now)
      }
    }
  }

  private func logSummary() {
    needsSummary = false
    let sinks = names.count == 1 ? "1 sink" : "\(names.count) sinks"
    problems.log(.info, "\(sinks), \(Self.waiting(scanner.count))")
    for (sink, name) in names.enumerated() where queue.isHeld(sink) {
      problems.log(.notice, "sink \(name): held; \(Self.waiting(queue.count(of: sink)))")
    }
  }

  private static func waiting(_ count: Int) -> String {
    count == 1 ? "1 signature waits" : "\(count) signatures wait"
  }

  /// Releases the lock while there is nothing to deliver.
  private func releaseLock() {
    if scanner.isEmpty && !isBusy && !queue.hasUnrecorded { scanner.releaseLock() }
  }

  // MARK: Beginning deliveries

  private func beginSuspect(at now: Int64, _ deliver: (Int, QueueEntry) -> Void) {
    guard !isAlone(at: now), let suspect = suspects.popNext(where: { !queue.isBusy($0) })
    else { return }
    queue.begin(suspect.entry, for: suspect.sink)
    suspects.begin(suspect, at: now)
    deliver(suspect.sink, suspect.entry)
  }

  /// Returns when the next delivery is due.
  private func beginDeliveries(at now: Int64, _ deliver: (Int, QueueEntry) -> Void) -> Int64 {
    var due = Int64.max
    for sink in names.indices {
      switch queue.next(for: sink, at: now, isStuck: { writer.isUncommitted($0) }) {
      case .idle: break
      case .wait(let until): due = min(due, until)
      case .deliver(let entry):
        suspects.begin(entry, to: sink, at: now)
        deliver(sink, entry)
      }
    }
    return due
  }

  /// Makes all items due, and scans again.
  func flush(at now: Int64) {
    (needsSummary, hasScanned) = (true, false)
    scanner.requestScan(at: now)
    recordDue = now
    queue.flush(at: now)
  }

  /// Makes all items due, without a scan.
  func flushQueues(at now: Int64) { queue.flush(at: now) }

  /// Makes all items due after a random delay.
  func flushSoon(at now: Int64) { queue.flushSoon(at: now) }

  func requestScan() { scanner.requestScan(at: 0) }

  // MARK: Completing deliveries

  /// Processes a sink's report.
  func complete(_ report: SinkWorker.Report, at now: Int64) {
    let (sink, entry) = (report.sink, report.entry)
    suspects.end(sink)
    // The item was cancelled meanwhile.
    guard queue.isDelivering(entry, to: sink) else { return queue.discard(sink) }
    switch report.result {
    case .answered(.delivered):
      let attempt = queue.complete(sink)
      metrics.countDelivery(sink)
      problems.log(
        .info,
        "delivered \(entry.id.text) to \(names[sink]) (sequence \(entry.sequence), "
          + "attempt \(attempt), monotonic \(now))")
      resolve(.delivered, of: sink, entry, at: now)
    case .answered(.permanentFailure(let reason)): reject(entry, reason, of: sink, at: now)
    case .answered(.temporaryFailure(let reason, let retryAfter)):
      retry(entry, reason, retryAfter, of: sink, at: now)
    case .unreadable(.system(let error)): retry(entry, error.text, nil, of: sink, at: now)
    case .unreadable(.gone):
      queue.discard(sink)
      queue.cancel(entry)
      scanner.remove(entry.id)
      removeUnrecorded(entry.id)
    case .unreadable(.invalid(let error)):
      queue.discard(sink)
      queue.cancel(entry)
      // Stays known until it left `new`, or the next scan would find it.
      commit(.failed(entry.id, reason: error.reason), lastSink: nil, at: now)
    }
  }

  private func retry(
    _ entry: QueueEntry, _ reason: String, _ retryAfter: Int64?, of sink: Int, at now: Int64
  ) {
    metrics.countFailure(sink)
    let (attempts, due) = queue.retry(sink, at: now, retryAfter: retryAfter)
    problems.log(
      .warning,
      "\(names[sink]): delivery of \(entry.id.text) failed (\(reason)); attempt \(attempts), "
        + "retry in \(Self.seconds(due - now)) s")
    record(SinkState(attempts: attempts, reason: reason), of: sink, entry, at: now)
  }

  private func reject(_ entry: QueueEntry, _ reason: String, of sink: Int, at now: Int64) {
    switch queue.reject(sink, at: now) {
    case .permanent: rejectPermanently(entry, reason, of: sink, at: now)
    case .provisional(let attempts, let due, let opensBreaker):
      metrics.countFailure(sink)
      problems.log(
        .warning,
        "\(names[sink]): rejected \(entry.id.text) (\(reason)); attempt \(attempts), "
          + "retry in \(Self.seconds(due - now)) s")
      if opensBreaker {
        problems.log(
          .error,
          "\(names[sink]): rejected \(CircuitBreaker.failureThreshold) different signatures in a row "
            + "(\(reason)); paused, no signature fails; check the receiver and this sink's configuration"
        )
      }
      record(
        SinkState(attempts: attempts, reason: reason, isRejected: true), of: sink, entry, at: now)
    }
  }

  private func rejectPermanently(
    _ entry: QueueEntry, _ reason: String, of sink: Int, at now: Int64
  ) {
    metrics.countRefusal(sink)
    problems.log(.error, "\(names[sink]): rejected \(entry.id.text) permanently (\(reason))")
    resolve(.rejected(reason), of: sink, entry, at: now)
  }

  /// Rounded up.
  private static func seconds(_ nanoseconds: Int64) -> Int64 {
    (nanoseconds + 999_999_999) / 1_000_000_000
  }

  /// Records a failed attempt, unless the item has reached its maximum age.
  private func record(_ state: SinkState, of sink: Int, _ entry: QueueEntry, at now: Int64) {
    guard let expiry = writer.record(state, of: sink, for: entry.id) else { return }
    _ = queue.cancel(entry, for: sink)
    rejectPermanently(entry, expiry, of: sink, at: now)
  }

  // MARK: Final states

  private func resolve(
    _ answer: Ledger.Answer, of sink: Int, _ entry: QueueEntry, at now: Int64
  ) {
    let resolution = queue.resolve(answer, of: sink, for: entry.id)
    // The last delivery needs no record if the item leaves `new`. A retry needs the others.
    if resolution?.lastSink == nil {
      switch answer {
      case .delivered: recordDelivery(of: entry.id, to: sink, at: now)
      case .rejected(let reason): writer.recordRejection(of: entry.id, by: sink, reason)
      }
    }
    if let resolution { commit(resolution.change, lastSink: resolution.lastSink, at: now) }
  }

  private func commit(_ change: StateChange, lastSink: Int?, at now: Int64) {
    let result = writer.commit(change, at: now)
    leave(change, result)
    if result == .failed, let lastSink { recordDelivery(of: change.id, to: lastSink, at: now) }
  }

  /// Forgets an item that left `new`.
  private func leave(_ change: StateChange, _ result: StateWriter.Result) {
    if result == .failed { return }
    scanner.remove(change.id)
    if case .failed = change, result == .moved {
      queue.leftNew(change.id)
    } else {
      removeUnrecorded(change.id)
    }
  }

  /// A sink whose delivery cannot be recorded waits.
  private func recordDelivery(of id: ItemID, to sink: Int, at now: Int64) {
    if writer.recordDelivery(of: id, to: sink) { return removeUnrecorded(id, for: sink) }
    queue.addUnrecorded(id, for: sink)
    recordDue = now + Self.recordDelay
  }

  private func recordDeliveries(at now: Int64) {
    for sink in names.indices {
      for id in queue.unrecorded(of: sink) { recordDelivery(of: id, to: sink, at: now) }
    }
  }

  private func removeUnrecorded(_ id: ItemID) {
    for sink in names.indices { removeUnrecorded(id, for: sink) }
  }

  private func removeUnrecorded(_ id: ItemID, for sink: Int) {
    queue.removeUnrecorded(id, for: sink)
    if queue.unrecorded(of: sink).isEmpty { problems.resolve(.recording(sink)) }
  }

  /// The sinks have stopped; their deliveries did not crash the program.
  deinit { suspects.clear() }
}
