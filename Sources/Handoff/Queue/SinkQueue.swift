internal import Retry
internal import Spool

/// The items that one sink does not have yet. A state machine without clock and sink: times come in, actions
/// go out.
///
///     enqueue ─▶ ready ──next──▶ running ──complete, permanent rejection──▶ gone
///                  ▲                │ retry, provisional rejection
///                  └── due ── waiting ◀┘
///
/// The oldest and the newest item alternate, so that a fresh signature does not wait for a backlog. An item
/// that fails has its own retry delay and blocks no other. Failures of several items in a row open the
/// circuit breaker of the sink.
///
/// One rejection may be the item's fault, many are the receiver's. A rejection is provisional until the sink
/// accepts another item; when it then rejects the item again, the rejection is permanent. A receiver that
/// rejects everything therefore rejects nothing permanently.
struct SinkQueue: Sendable {
  /// The next action of a queue.
  enum Action: Equatable, Sendable {
    /// No delivery: the sink is busy or held, or has no item.
    case idle
    /// Nothing until a time.
    case wait(until: Int64)
    /// Deliver this item, and call `complete`, `retry`, `reject` or `discard` afterwards.
    case deliver(QueueEntry)
  }

  /// The result of a rejection.
  enum Rejection: Equatable, Sendable {
    /// The sink accepted another item since its first rejection. The item leaves the queue.
    case permanent
    /// The item waits. `opensBreaker`: the rejections opened the circuit breaker.
    case provisional(attempts: Int, due: Int64, opensBreaker: Bool)
  }

  private struct Waiting: Sendable {
    let due: Int64
    let entry: QueueEntry
  }

  private enum Running: Equatable, Sendable {
    case none
    case delivering(QueueEntry)
    /// The sink still works on an item that was cancelled.
    case cancelled
  }

  private struct Unrecorded: Sendable {
    let id: ItemID
    /// Whether the item is still in `new`, so that a crash would repeat its delivery.
    var isInNew = true
  }

  /// Whether no delivery begins.
  let isHeld: Bool
  private let backoff: Backoff
  private var random: SplitMix64
  private var breaker: CircuitBreaker
  private var ready = OrderedEntries()
  /// By due time.
  private var waiting: [Waiting] = []
  private var attempts: [ItemID: Outage] = [:]
  /// Rejected items, and whether the sink accepted another item since.
  private var rejections: [ItemID: Bool] = [:]
  /// Different items that were rejected in a row, up to the threshold.
  private var rejectedInRow: [ItemID] = []
  private var running = Running.none
  private var newestIsNext = false
  /// Deliveries that could not be recorded.
  private var unrecordedDeliveries: [Unrecorded] = []

  /// An empty queue. `seed`: of the random part of retry delays.
  init(_ backoff: Backoff, seed: UInt64, isHeld: Bool = false) {
    self.isHeld = isHeld
    self.backoff = backoff
    random = SplitMix64(seed: seed)
    breaker = CircuitBreaker(backoff)
  }

  /// Whether the circuit breaker restricts deliveries.
  var isPaused: Bool { !breaker.isClosed }

  /// Whether it does because of failures.
  var isFailing: Bool { isPaused && breaker.hasFailures }

  /// The number of items that are not delivered yet.
  var count: Int {
    if case .delivering = running { return ready.count + waiting.count + 1 }
    return ready.count + waiting.count
  }

  /// The item that was signed first.
  var oldest: QueueEntry? {
    var oldest = ready.oldest
    if case .delivering(let entry) = running { oldest = entry.older(oldest) }
    for item in waiting { oldest = item.entry.older(oldest) }
    return oldest
  }

  /// Whether the sink is working.
  var isBusy: Bool { running != .none }

  /// Whether the sink is working on this item, and it was not cancelled.
  func isDelivering(_ entry: QueueEntry) -> Bool { running == .delivering(entry) }

  /// Whether the sink is working on the item of this id, and it was not cancelled.
  func isDelivering(_ id: ItemID) -> Bool {
    if case .delivering(let entry) = running { entry.id == id } else { false }
  }

  // MARK: Items

  /// Enqueues items that have not failed.
  mutating func enqueue(_ entries: [QueueEntry]) { ready.insert(contentsOf: entries) }

  /// Enqueues an item with its recorded failures, behind items without. `isRejected`: by the last attempt.
  mutating func enqueue(
    _ entry: QueueEntry, attempts count: Int, isRejected: Bool = false, at now: Int64
  ) {
    attempts[entry.id] = Outage(failures: count)
    if isRejected { rejections[entry.id] = false }
    wait(entry, until: now + backoff.delay(after: 1, random: &random))
  }

  /// Enqueues an item that was published just now. It is tried within `Backoff.fresh` even if the circuit breaker is open for longer.
  mutating func enqueueNew(_ entry: QueueEntry) {
    ready.insert(entry)
    if breaker.shorten() { newestIsNext = true }
  }

  /// Removes an item. Returns false if it was not in the queue.
  @discardableResult
  mutating func cancel(_ entry: QueueEntry) -> Bool {
    forget(entry)
    if running == .delivering(entry) {
      running = .cancelled
      return true
    }
    if ready.remove(entry) { return true }
    let count = waiting.count
    waiting.removeAll { $0.entry == entry }
    return waiting.count < count
  }

  /// Removes items that the sink is not working on.
  mutating func cancel(_ ids: Set<ItemID>) {
    ready.removeAll { ids.contains($0.id) }
    waiting.removeAll { ids.contains($0.entry.id) }
    for id in ids { (attempts[id], rejections[id]) = (nil, nil) }
  }

  // MARK: Deliveries

  /// Begins the next delivery, if there is one.
  mutating func next(at now: Int64) -> Action {
    if isBusy || isHeld { return .idle }
    while let first = waiting.first, first.due <= now {
      waiting.removeFirst()
      ready.insert(first.entry)
    }
    if case .open(let until) = breaker.state(at: now) {
      return count == 0 ? .idle : .wait(until: until)
    }
    guard let entry = newestIsNext ? ready.popNewest() : ready.popOldest() else {
      return waiting.first.map { .wait(until: $0.due) } ?? .idle
    }
    newestIsNext.toggle()
    running = .delivering(entry)
    return .deliver(entry)
  }

  /// Begins the delivery of a due item that satisfies a condition, if there is one.
  mutating func next(at now: Int64, where isAllowed: (ItemID) -> Bool) -> QueueEntry? {
    if isBusy || isHeld { return nil }
    if case .open = breaker.state(at: now) { return nil }
    let found =
      ready.first { isAllowed($0.id) }
      ?? waiting.first { $0.due <= now && isAllowed($0.entry.id) }.map { $0.entry }
    guard let entry = found else { return nil }
    if !ready.remove(entry) { waiting.removeAll { $0.entry == entry } }
    running = .delivering(entry)
    return entry
  }

  /// Begins the delivery of an item that is not in the queue.
  mutating func begin(_ entry: QueueEntry) { running = .delivering(entry) }

  /// The running item was delivered. Returns the number of the attempt.
  @discardableResult
  mutating func complete() -> Int {
    guard let entry = end() else { return 0 }
    let attempt = (attempts.removeValue(forKey: entry.id)?.failures ?? 0) + 1
    rejections[entry.id] = nil
    rejectedInRow = []
    if !breaker.isClosed { releaseAll() } else if !rejections.isEmpty { releaseRejected() }
    for id in rejections.keys { rejections[id] = true }
    breaker.succeed()
    return attempt
  }

  /// The running item was rejected.
  mutating func reject(at now: Int64) -> Rejection {
    guard let entry = end() else {
      return .provisional(attempts: 0, due: now, opensBreaker: false)
    }
    if rejections[entry.id] == true {
      forget(entry)
      return .permanent
    }
    rejections[entry.id] = false
    let (count, due) = wait(entry, at: now, atLeast: 0)
    // A repeated rejection of the same item is no new evidence against the sink.
    let isFull = rejectedInRow.count >= CircuitBreaker.failureThreshold
    guard isFull || !rejectedInRow.contains(entry.id) else {
      return .provisional(attempts: count, due: due, opensBreaker: false)
    }
    if !isFull { rejectedInRow.append(entry.id) }
    breaker.fail(at: now, retryAfter: nil, random: &random)
    return .provisional(
      attempts: count, due: due,
      opensBreaker: !isFull && rejectedInRow.count == CircuitBreaker.failureThreshold)
  }

  /// The running item failed and waits for a retry. `retryAfter`: the delay that the receiver requested. Returns
  /// the number of attempts, and when the item is due.
  @discardableResult
  mutating func retry(at now: Int64, retryAfter: Int64?) -> (attempts: Int, due: Int64) {
    guard let entry = end() else { return (0, now) }
    let requested = retryAfter.map { backoff.delay(requested: $0, random: &random) }
    let (count, due) = wait(entry, at: now, atLeast: requested ?? 0)
    breaker.fail(at: now, retryAfter: requested, random: &random)
    return (count, due)
  }

  /// The running item waits for a retry, although the receiver has not failed. Returns the number
  /// of attempts, and when the item is due.
  mutating func postpone(at now: Int64) -> (attempts: Int, due: Int64) {
    guard let entry = end() else { return (0, now) }
    return wait(entry, at: now, atLeast: 0)
  }

  /// The running item could not be read, which is not the sink's fault.
  mutating func discard() {
    if let entry = end() { forget(entry) }
  }

  /// Makes all items due, because their failures may be remedied. Keeps the counts. Does nothing before a
  /// requested delay has passed; `ignoringRetryAfter` overrides it.
  mutating func flush(at now: Int64, ignoringRetryAfter: Bool) {
    guard breaker.reset(at: now, ignoringRetryAfter: ignoringRetryAfter) else { return }
    releaseAll()
    rejectedInRow = []
  }

  /// Like `flush`, after a random delay: a fleet may observe the same event. Does nothing without failures. Returns when
  /// deliveries begin; nil: it did nothing.
  @discardableResult
  mutating func flushSoon(at now: Int64) -> Int64? {
    if isHeld || breaker.isClosed && !breaker.hasFailures && waiting.isEmpty { return nil }
    flush(at: now, ignoringRetryAfter: false)
    return breaker.isClosed ? startSoon(at: now) : nil
  }

  /// Begins deliveries after a random delay, because a fleet may have got power at the same time. Returns when.
  @discardableResult
  mutating func startSoon(at now: Int64) -> Int64 {
    let delay = backoff.spread(random: &random)
    breaker.open(at: now, for: delay)
    return now + delay
  }

  private mutating func end() -> QueueEntry? {
    defer { running = .none }
    if case .delivering(let entry) = running { return entry }
    return nil
  }

  private mutating func forget(_ entry: QueueEntry) {
    attempts[entry.id] = nil
    rejections[entry.id] = nil
  }

  private mutating func wait(
    _ entry: QueueEntry, at now: Int64, atLeast requested: Int64
  ) -> (attempts: Int, due: Int64) {
    var outage = attempts[entry.id] ?? Outage()
    outage.fail(at: now)
    let due = now + max(backoff.delay(in: &outage, random: &random), requested)
    attempts[entry.id] = outage
    wait(entry, until: due)
    return (outage.failures, due)
  }

  private mutating func wait(_ entry: QueueEntry, until due: Int64) {
    var index = waiting.count
    while index > 0 && waiting[index - 1].due > due { index -= 1 }
    waiting.insert(Waiting(due: due, entry: entry), at: index)
  }

  private mutating func releaseAll() {
    ready.insert(contentsOf: waiting.map { $0.entry })
    waiting.removeAll()
  }

  /// Makes provisionally rejected items due, because the sink accepted another item.
  private mutating func releaseRejected() {
    for entry in waiting where rejections[entry.entry.id] == false { ready.insert(entry.entry) }
    waiting.removeAll { rejections[$0.entry.id] == false }
  }

  // MARK: Unrecorded deliveries

  /// The items whose delivery could not be recorded.
  var unrecorded: [ItemID] { unrecordedDeliveries.map { $0.id } }

  /// Whether a crash would repeat a delivery. Then only deliveries that need no record may begin.
  var waitsForRecord: Bool { unrecordedDeliveries.contains { $0.isInNew } }

  /// A delivery could not be recorded.
  mutating func addUnrecorded(_ id: ItemID) {
    // A retried item is in `new` again.
    removeUnrecorded(id)
    unrecordedDeliveries.append(Unrecorded(id: id))
  }

  /// A delivery was recorded, or needs no record.
  mutating func removeUnrecorded(_ id: ItemID) { unrecordedDeliveries.removeAll { $0.id == id } }

  /// An item left `new`, but its record is still needed for a retry.
  mutating func leftNew(_ id: ItemID) {
    for index in unrecordedDeliveries.indices where unrecordedDeliveries[index].id == id {
      unrecordedDeliveries[index].isInNew = false
    }
  }
}
