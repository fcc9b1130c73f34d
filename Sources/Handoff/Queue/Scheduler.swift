internal import Configuration
internal import Linux
internal import Retry
internal import Spool

/// Begins and completes deliveries. Connects the spool, the queues and the records; owns no thread.
final class Scheduler {
  private let names: [String]
  private let problems: Problems
  private let metrics: Metrics
  private let log: DeliveryLog
  private let retention: Retention
  private var scanner: SpoolScanner
  private var queue: ActiveQueue
  private var suspects: CrashSuspects
  private var writer: StateWriter
  /// Nil: sinks do not wait for time stamps.
  private let timestamps: Timestamps?
  /// The running delivery of each sink, so that an erasure awaits its record.
  private let locks: DeliveryLocks
  /// The sinks that could read no item, and have not answered since.
  private var unavailable: Set<Int> = []
  private var hasLoadedSuspects = false
  /// Whether the number of waiting items is logged after the next scan.
  private var needsSummary = true
  private var hasScanned = false
  /// When each sink begins after a boot; nil: at once.
  private(set) var bootDues: [Int64?]
  /// Whether the records of items that no longer exist were removed.
  private var hasForgotten = false

  init(
    _ configuration: HandoffConfiguration, _ limits: Delivery.Limits, _ retention: Retention,
    _ problems: Problems, _ metrics: Metrics
  ) throws(Errno) {
    names = configuration.sinks.map { $0.name }
    bootDues = names.map { _ in nil }
    locks = DeliveryLocks(sinks: names.count, spool: configuration.spool)
    self.retention = retention
    self.problems = problems
    self.metrics = metrics
    log = DeliveryLog(sinks: names, problems, metrics)
    let crashes = CrashRecords(spool: configuration.spool)
    scanner = SpoolScanner(configuration, crashes, problems, metrics, SpoolWatch())
    queue = ActiveQueue(
      sinks: names, held: configuration.sinks.filter { $0.isHeld }.map { $0.name },
      remote: configuration.sinks.filter { $0.isRemote }.map { $0.name },
      Backoff(configuration), seed: try Randomness.bits())
    suspects = CrashSuspects(crashes, sinks: names, timeLimit: limits.alone)
    writer = StateWriter(configuration, limits, crashes, retention, problems, metrics)
    timestamps = Timestamps(
      configuration, limits, problems, metrics, seed: try Randomness.bits())
    guard limits.isBoot else { return }
    for (index, sink) in configuration.sinks.enumerated() where sink.isRemote {
      bootDues[index] = queue.startSoon(index, at: MonotonicClock.now)
    }
  }

  /// For poll(2): readable when `readNotices` has something to do; −1: there are no notices. A step may change it.
  var descriptor: Int32 { scanner.descriptor }
  var isLockedElsewhere: Bool { scanner.isLockedElsewhere }
  var isBusy: Bool { queue.isBusy || timestamps?.isBusy == true }
  /// Whether every item is delivered or waits for its retry delay.
  var isIdle: Bool { suspects.isEmpty && !isBusy && !hasMore }
  /// Whether `step` does more at once.
  var hasMore: Bool { !scanner.unread.isEmpty || timestamps?.hasExpired == true }
  var unread: [ItemID] { scanner.unread }
  var gauges: [Metrics.Gauges] { queue.gauges }
  /// The number of items in `new`; nil: the spool cannot be read, and none is known.
  var waitingCount: Int? { scanner.count == 0 && problems.isSpoolBroken ? nil : scanner.count }
  /// The oldest of them by its id.
  var oldest: ItemID? {
    // Each scan adds to the front of those that were not read yet, and the oldest of a scan is its last one.
    [
      queue.oldest, timestamps?.oldest, scanner.unread.last, scanner.unread.first,
      scanner.unreadable.first,
    ].compactMap { $0 }.min { $0.time < $1.time }
  }
  var uncommittedCount: Int { writer.uncommittedCount }
  /// The number of items that this run moved to `failed`.
  var failedCount: Int { writer.failedCount }
  /// The number of deliveries and problems that are left.
  var remaining: Int {
    scanner.unread.count + suspects.count + queue.count + problems.undeliveredCount
      + (timestamps?.heldCount ?? 0)
  }

  func isAlone(at now: Int64) -> Bool { suspects.isAlone(at: now) }

  // MARK: Finding items

  /// Does what is due and passes deliveries to `deliver`, and fetches of time stamps to `fetch`. Returns when it must be
  /// called again.
  func step(
    at now: Int64, _ deliver: (Int, QueueEntry) -> Void, fetch: (QueueEntry) -> Void = { _ in }
  ) -> Int64 {
    defer { releaseLock() }
    if scanner.due <= now { scan(at: now) }
    if isLockedElsewhere { return now }
    if retention.due <= now { retention.purge(at: now) }
    beginSuspect(at: now, deliver)
    let isAlone = isAlone(at: now)
    if !isAlone { enqueue(scanner.readNext(at: now), at: now) }
    for name in scanner.drainFlushRequests() { flush(name, at: now) }
    if needsSummary && hasScanned && scanner.unread.isEmpty { logSummary() }
    writer.recordDeliveries(in: &queue, at: now)
    var due = min(scanner.due, retention.due)
    if let timestamps, !isAlone {
      due = min(due, timestamps.step(at: now, fetch) { enqueue($0, at: now) })
    }
    if queue.hasUnrecorded { due = min(due, writer.recordDue) }
    if isAlone { return min(due, suspects.aloneUntil ?? now) }
    if scanner.allowsDeliveries(at: now) { due = min(due, beginDeliveries(at: now, deliver)) }
    return scanner.unread.isEmpty ? due : now
  }

  private func scan(at now: Int64) {
    do throws(SpoolError) {
      guard let spool = try scanner.open(at: now) else { return }
      if !hasLoadedSuspects {
        hasLoadedSuspects = true
        try loadSuspects(spool, at: now)
      }
      removeMissing(try scanner.scan(spool, at: now))
      if !hasForgotten { timestamps?.forget { scanner.contains($0) } }
      (hasScanned, hasForgotten) = (true, true)
      // A permission may have been corrected.
      for id in writer.commitAgain(in: &queue, at: now) { remove(id) }
      problems.resolve(.spool)
      // Their pauses grew with the spool's absence, and say nothing about the receivers.
      for sink in unavailable { queue.flushSoon(sink, at: now) }
      if !unavailable.isEmpty { metrics.setChanged() }
      unavailable = []
    } catch {
      problems.report(.spool, error.text)
      scanner.retryScan(at: now)
    }
  }

  /// Removes items that another program took out of `new`. A running delivery ends first.
  private func removeMissing(_ ids: [ItemID]) {
    let missing = Set(ids.filter { !queue.isDelivering($0) && !writer.isUncommitted($0) })
    if missing.isEmpty { return }
    queue.cancel(missing)
    scanner.removeUnread(missing)
    timestamps?.remove(missing)
    for id in missing {
      scanner.remove(id)
      writer.removeUnrecorded(id, from: &queue)
      problems.resolve(.item(id))
    }
    metrics.setChanged()
  }

  /// Reads the items whose delivery was interrupted by a crash, before all others.
  private func loadSuspects(_ spool: borrowing Spool, at now: Int64) throws(SpoolError) {
    var resolutions: [ActiveQueue.Resolution] = []
    defer { for resolution in resolutions { commit(resolution, at: now) } }
    try suspects.load(spool, &scanner, &queue, &resolutions, at: now)
    metrics.setChanged()
  }

  private func enqueue(_ findings: [SpoolScanner.Finding], at now: Int64) {
    if findings.isEmpty { return }
    var items: [(entry: QueueEntry, states: [String: SinkState])] = []
    for finding in findings {
      switch finding {
      case .item(let entry, let states):
        if timestamps?.admit(entry, states, at: now) != false { items.append((entry, states)) }
      case .invalid(let id, let reason): fail(id, reason, at: now)
      }
    }
    for resolution in queue.enqueue(items, at: now) { commit(resolution, at: now) }
    metrics.setChanged()
  }

  /// Enqueues an item that sinks may have now, with its time stamp or without.
  private func enqueue(_ item: TimestampQueue.Held, at now: Int64) {
    if item.states.isEmpty {
      queue.enqueueNew(item.entry)
      return metrics.setChanged()
    }
    for resolution in queue.enqueue([(item.entry, item.states)], at: now) {
      commit(resolution, at: now)
    }
    metrics.setChanged()
  }

  /// Processes a report about a time stamp.
  func complete(_ report: TimestampWorker.Report, at now: Int64) {
    timestamps?.complete(report, at: now) { enqueue($0, at: now) }
  }

  /// Prepares for a run that ends as soon as nothing is under way.
  func setImpatient() { timestamps?.setImpatient() }

  /// Enqueues the items that were published since the last call.
  func readNotices(at now: Int64) {
    for finding in scanner.readNotices(at: now, isDeferred: isAlone(at: now)) {
      if case .item(let entry, let states) = finding, states.isEmpty {
        if timestamps?.admit(entry, states, at: now) != false { queue.enqueueNew(entry) }
        metrics.setChanged()
      } else {
        // An item that is retried has records.
        enqueue([finding], at: now)
      }
    }
  }

  private func logSummary() {
    needsSummary = false
    let held = names.indices.filter { queue.isHeld($0) }
    log.summary(scanner.count, held: held.map { ($0, queue.count(of: $0)) })
  }

  /// Releases the lock while there is nothing to deliver.
  private func releaseLock() {
    if scanner.isEmpty && !isBusy && !queue.hasUnrecorded { scanner.releaseLock() }
  }

  // MARK: Beginning deliveries

  private func beginSuspect(at now: Int64, _ deliver: (Int, QueueEntry) -> Void) {
    while !isAlone(at: now), let suspect = suspects.popNext(where: { !queue.isBusy($0) }) {
      queue.begin(suspect.entry, for: suspect.sink)
      guard lock(suspect.entry, for: suspect.sink, at: now) else { continue }
      suspects.begin(suspect, at: now)
      return deliver(suspect.sink, suspect.entry)
    }
  }

  /// Locks an item before its delivery. One that is being erased is not delivered; its crashes stay counted.
  private func lock(_ entry: QueueEntry, for sink: Int, at now: Int64) -> Bool {
    switch locks.begin(entry.id, for: sink) {
    case .begun: return true
    case .gone: complete(.init(sink: sink, entry: entry, result: .unreadable(.gone)), at: now)
    case .locked: queue.postpone(sink, at: now)
    case .unavailable(let error):
      complete(.init(sink: sink, entry: entry, result: .unavailable(error)), at: now)
    }
    return false
  }

  /// Returns when the next delivery is due.
  private func beginDeliveries(at now: Int64, _ deliver: (Int, QueueEntry) -> Void) -> Int64 {
    var due = Int64.max
    for sink in names.indices { due = min(due, beginDelivery(to: sink, at: now, deliver)) }
    return due
  }

  /// Returns when the next delivery of the sink is due.
  private func beginDelivery(
    to sink: Int, at now: Int64, _ deliver: (Int, QueueEntry) -> Void
  ) -> Int64 {
    // An item that cannot be locked leaves the queue or waits, and another one takes its place.
    while true {
      switch queue.next(for: sink, at: now, isStuck: { writer.isUncommitted($0) }) {
      case .idle: return .max
      case .wait(let until): return until
      case .deliver(let entry):
        guard lock(entry, for: sink, at: now) else { continue }
        suspects.begin(entry, to: sink, at: now)
        deliver(sink, entry)
        return .max
      }
    }
  }

  /// Makes all items due, and scans again.
  func flush(at now: Int64) {
    (needsSummary, hasScanned) = (true, false)
    scanner.requestScan(at: now)
    writer.recordDue = now
    flushQueues(at: now)
  }

  /// Makes the items of one sink due, on request.
  private func flush(_ name: String, at now: Int64) {
    guard let sink = names.firstIndex(of: name) else {
      return problems.log(.warning, "spool: the request to flush \(name) was ignored: no such sink")
    }
    log.flushed(sink, queue.count(of: sink), isHeld: queue.isHeld(sink))
    queue.flush(sink, at: now)
  }

  /// Makes all items due, without a scan.
  func flushQueues(at now: Int64) {
    queue.flush(at: now)
    timestamps?.flush(at: now)
  }

  /// Makes all items due after a random delay. Returns when the deliveries of each sink begin; nil: it has no such delay.
  @discardableResult
  func flushSoon(at now: Int64) -> [Int64?] {
    timestamps?.flushSoon(at: now)
    return queue.flushSoon(at: now)
  }

  /// The sinks that were flushed on request since the last call.
  func takeFlushed() -> Set<Int> { queue.takeFlushed() }

  func requestScan() { scanner.requestScan(at: 0) }

  // MARK: Completing deliveries

  /// Processes a sink's report.
  func complete(_ report: SinkWorker.Report, at now: Int64) {
    let (sink, entry) = (report.sink, report.entry)
    suspects.end(sink)
    defer { locks.end(sink) }
    // The item was cancelled meanwhile.
    guard queue.isDelivering(entry, to: sink) else { return queue.discard(sink) }
    if case .answered = report.result { unavailable.remove(sink) }
    switch report.result {
    case .answered(.delivered):
      let attempt = queue.complete(sink)
      log.delivered(entry, to: sink, attempt: attempt, at: now)
      resolve(.delivered, of: sink, entry, at: now)
    case .answered(.permanentFailure(let reason)): reject(entry, reason, of: sink, at: now)
    case .answered(.temporaryFailure(let reason, let retryAfter, let kind)):
      metrics.countFailure(sink, kind)
      retry(entry, reason, retryAfter, of: sink, at: now)
    // Without a pause of the sink, it would try all items in a row.
    case .unavailable(let error):
      unavailable.insert(sink)
      retry(entry, error.text, nil, of: sink, at: now)
    case .unreadable(.system(let error)):
      // That says nothing about the sink, which goes on with the other items.
      let (attempts, due) = queue.postpone(sink, at: now)
      log.postponed(entry, error.text, of: sink, attempts: attempts, delay: due - now)
      record(SinkState(attempts: attempts, reason: error.text), of: sink, entry, at: now)
    case .unreadable(.gone):
      queue.discard(sink)
      cancel(entry)
    case .unreadable(.invalid(let error)):
      queue.discard(sink)
      queue.cancel(entry)
      // The item stays known until it has left `new`: otherwise the next scan would find it.
      fail(entry.id, error.reason, at: now)
    }
  }

  /// A delivery was cancelled, which says nothing about the receiver. The next run repeats it.
  func interrupt(_ report: SinkWorker.Report, at now: Int64) {
    suspects.end(report.sink)
    queue.postpone(report.sink, at: now)
    locks.end(report.sink)
  }

  /// The item left `new` without an answer of all sinks. One that works on it still answers.
  private func cancel(_ entry: QueueEntry) {
    queue.cancel([entry.id])
    remove(entry.id)
    writer.removeUnrecorded(entry.id, from: &queue)
  }

  private func retry(
    _ entry: QueueEntry, _ reason: String, _ retryAfter: Int64?, of sink: Int, at now: Int64
  ) {
    let (attempts, due) = queue.retry(sink, at: now, retryAfter: retryAfter)
    log.failed(entry, reason, of: sink, attempts: attempts, delay: due - now)
    record(SinkState(attempts: attempts, reason: reason), of: sink, entry, at: now)
  }

  private func reject(_ entry: QueueEntry, _ reason: String, of sink: Int, at now: Int64) {
    switch queue.reject(sink, at: now) {
    case .permanent: rejectPermanently(entry, reason, of: sink, at: now)
    case .provisional(let attempts, let due, let opensBreaker):
      log.rejected(entry, reason, of: sink, attempts: attempts, delay: due - now)
      if opensBreaker { log.paused(sink, reason) }
      record(
        SinkState(attempts: attempts, reason: reason, isRejected: true), of: sink, entry, at: now)
    }
  }

  private func rejectPermanently(
    _ entry: QueueEntry, _ reason: String, of sink: Int, at now: Int64
  ) {
    log.rejectedPermanently(entry, reason, of: sink)
    resolve(.rejected(reason), of: sink, entry, at: now)
  }

  /// Records a failed attempt, unless the item has reached its maximum age.
  private func record(_ state: SinkState, of sink: Int, _ entry: QueueEntry, at now: Int64) {
    switch writer.record(state, of: sink, for: entry.id) {
    case .attempted: break
    case .gone: cancel(entry)
    case .expired(let reason):
      _ = queue.cancel(entry, for: sink)
      log.expired(entry, reason, of: sink)
      resolve(.rejected(reason), of: sink, entry, at: now)
    }
  }

  // MARK: Final states

  private func resolve(
    _ answer: Ledger.Answer, of sink: Int, _ entry: QueueEntry, at now: Int64
  ) {
    if writer.resolve(answer, of: sink, for: entry.id, in: &queue, at: now) { remove(entry.id) }
  }

  /// An item left `new`.
  private func remove(_ id: ItemID) {
    scanner.remove(id)
    timestamps?.remove(id)
  }

  private func commit(_ resolution: ActiveQueue.Resolution, at now: Int64) {
    if writer.commit(resolution, in: &queue, at: now) { remove(resolution.change.id) }
  }

  /// Commits the failure of an item that cannot be delivered at all.
  private func fail(_ id: ItemID, _ reason: String, at now: Int64) {
    commit(.init(change: .failed(id, reason: reason), lastSink: nil), at: now)
  }

  /// The sinks have stopped; their deliveries did not crash the program.
  deinit { suspects.clear() }
}
