internal import Retry
internal import Spool

/// The items under delivery, and which sinks have them. A state machine without clock, disk and network.
struct ActiveQueue {
  /// A final state, to be committed to the spool.
  struct Resolution: Equatable {
    let change: StateChange
    /// The sink whose answer decided; nil if its answer needs a record even so.
    let lastSink: Int?
  }

  private let names: [String]
  private let remote: Set<String>
  private var queues: [SinkQueue]
  private var ledger: Ledger
  private var flushed: Set<Int> = []

  /// `held`: the names of sinks that receive nothing; `remote`: of those at other machines; nil: all.
  init(
    sinks names: [String], held: [String] = [], remote: [String]? = nil, _ backoff: Backoff,
    seed: UInt64
  ) {
    self.names = names
    self.remote = Set(remote ?? names)
    queues = names.enumerated().map { index, name in
      SinkQueue(backoff, seed: seed &+ UInt64(index), isHeld: held.contains(name))
    }
    ledger = Ledger(sinks: names)
  }

  var isBusy: Bool { queues.contains { $0.isBusy } }
  /// The number of deliveries that are not done.
  var count: Int { queues.reduce(0) { $0 + $1.count } }
  /// The oldest item by its id of those that are the oldest of a sink; nil: none waits.
  var oldest: ItemID? { queues.compactMap { $0.oldest?.id }.min { $0.time < $1.time } }
  var hasUnrecorded: Bool { queues.contains { !$0.unrecorded.isEmpty } }
  var gauges: [Metrics.Gauges] {
    queues.map {
      // The delay after a boot or a network's return is no failure, and ends with a delivery only.
      Metrics.Gauges(waiting: $0.count, isPaused: $0.isFailing, isHeld: $0.isHeld)
    }
  }

  func isBusy(_ sink: Int) -> Bool { queues[sink].isBusy }
  func isHeld(_ sink: Int) -> Bool { queues[sink].isHeld }
  /// The number of items that a sink does not have.
  func count(of sink: Int) -> Int { queues[sink].count }
  func isDelivering(_ entry: QueueEntry, to sink: Int) -> Bool { queues[sink].isDelivering(entry) }
  /// Whether a sink is working on this item.
  func isDelivering(_ id: ItemID) -> Bool { queues.contains { $0.isDelivering(id) } }

  // MARK: Items

  /// Enqueues items with their recorded states. Returns those that all sinks are done with.
  mutating func enqueue(
    _ items: [(entry: QueueEntry, states: [String: SinkState])], at now: Int64
  ) -> [Resolution] {
    var fresh: [[QueueEntry]] = names.map { _ in [] }
    var resolutions: [Resolution] = []
    for (entry, states) in items {
      for (sink, name) in names.enumerated() {
        let state = states[name] ?? SinkState()
        var answer = Ledger.Answer.delivered
        switch state.outcome {
        case .delivered: break
        case .never: answer = .rejected(state.reason ?? "rejected")
        case .pending:
          if state.attempts == 0 {
            fresh[sink].append(entry)
          } else {
            queues[sink].enqueue(
              entry, attempts: state.attempts, isRejected: state.isRejected, at: now)
          }
          continue
        }
        if let resolution = resolve(answer, of: sink, for: entry.id) {
          resolutions.append(resolution)
        }
      }
    }
    for sink in queues.indices { queues[sink].enqueue(fresh[sink]) }
    return resolutions
  }

  /// Enqueues an item that was published just now.
  mutating func enqueueNew(_ entry: QueueEntry) {
    for sink in queues.indices { queues[sink].enqueueNew(entry) }
  }

  /// Removes an item that is invalid.
  mutating func cancel(_ entry: QueueEntry) {
    for sink in queues.indices { queues[sink].cancel(entry) }
    ledger.forget(entry.id)
  }

  /// Removes items that no longer exist, except from sinks that are working on them.
  mutating func cancel(_ ids: Set<ItemID>) {
    for sink in queues.indices { queues[sink].cancel(ids) }
    for id in ids { ledger.forget(id) }
  }

  /// Removes an item from one queue. Returns false if it was not in it.
  mutating func cancel(_ entry: QueueEntry, for sink: Int) -> Bool { queues[sink].cancel(entry) }

  /// Records a final answer. Returns the item's final state if all sinks have answered.
  mutating func resolve(_ answer: Ledger.Answer, of sink: Int, for id: ItemID) -> Resolution? {
    switch ledger.record(answer, of: sink, for: id) {
    case .incomplete: nil
    case .delivered: Resolution(change: .delivered(id), lastSink: sink)
    case .failed(let reason): Resolution(change: .failed(id, reason: reason), lastSink: nil)
    }
  }

  // MARK: Deliveries

  /// Begins the next delivery of a sink, if there is one.
  ///
  /// A sink with unrecorded deliveries gets only items whose delivery needs no record, or that
  /// another sink could not record. A crash therefore repeats at most one delivery of each such
  /// sink. `isStuck`: whether the final state of an item could not be committed.
  mutating func next(
    for sink: Int, at now: Int64, isStuck: (ItemID) -> Bool
  ) -> SinkQueue.Action {
    guard queues[sink].waitsForRecord else { return queues[sink].next(at: now) }
    // Without this, three sinks could wait for one another.
    let unrecorded = queues.flatMap { $0.unrecorded }
    // The last delivery needs no record, and frees space if the item can leave `new`.
    let canLeave = !queues[sink].unrecorded.contains(where: isStuck)
    let ledger = ledger
    let entry = queues[sink].next(at: now) { id in
      unrecorded.contains(id) || canLeave && ledger.isLast(sink, for: id)
    }
    return entry.map { .deliver($0) } ?? .idle
  }

  mutating func begin(_ entry: QueueEntry, for sink: Int) { queues[sink].begin(entry) }
  mutating func complete(_ sink: Int) -> Int { queues[sink].complete() }
  mutating func discard(_ sink: Int) { queues[sink].discard() }

  @discardableResult
  mutating func postpone(_ sink: Int, at now: Int64) -> (attempts: Int, due: Int64) {
    queues[sink].postpone(at: now)
  }

  mutating func reject(_ sink: Int, at now: Int64) -> SinkQueue.Rejection {
    queues[sink].reject(at: now)
  }

  mutating func retry(
    _ sink: Int, at now: Int64, retryAfter: Int64?
  ) -> (attempts: Int, due: Int64) {
    queues[sink].retry(at: now, retryAfter: retryAfter)
  }

  /// Makes all items due, on request.
  mutating func flush(at now: Int64) {
    for sink in queues.indices { flush(sink, at: now) }
  }

  /// Makes all items of a sink due, on request.
  mutating func flush(_ sink: Int, at now: Int64) {
    queues[sink].flush(at: now, ignoringRetryAfter: true)
    flushed.insert(sink)
  }

  /// The sinks that were flushed on request since the last call.
  mutating func takeFlushed() -> Set<Int> {
    defer { flushed = [] }
    return flushed
  }

  /// Makes all items due, because the network changed: those of remote sinks after a random delay. Returns when the
  /// deliveries of each sink begin; nil: it has no such delay.
  @discardableResult
  mutating func flushSoon(at now: Int64) -> [Int64?] {
    queues.indices.map { flushSoon($0, at: now) }
  }

  /// Makes all items of a sink due; those of a remote one after a random delay. Returns when its
  /// deliveries begin; nil: it has no such delay.
  @discardableResult
  mutating func flushSoon(_ sink: Int, at now: Int64) -> Int64? {
    if remote.contains(names[sink]) { return queues[sink].flushSoon(at: now) }
    queues[sink].flush(at: now, ignoringRetryAfter: false)
    return nil
  }

  /// Begins deliveries of a sink after a random delay. Returns when.
  @discardableResult
  mutating func startSoon(_ sink: Int, at now: Int64) -> Int64 { queues[sink].startSoon(at: now) }

  // MARK: Unrecorded deliveries

  func unrecorded(of sink: Int) -> [ItemID] { queues[sink].unrecorded }
  mutating func addUnrecorded(_ id: ItemID, for sink: Int) { queues[sink].addUnrecorded(id) }
  mutating func removeUnrecorded(_ id: ItemID, for sink: Int) { queues[sink].removeUnrecorded(id) }
  mutating func leftNew(_ id: ItemID) {
    for sink in queues.indices { queues[sink].leftNew(id) }
  }
}

/// The final answers of sinks about items.
struct Ledger: Sendable {
  /// The state of an item after an answer.
  enum Result: Equatable, Sendable {
    /// Other sinks have not answered.
    case incomplete
    /// All sinks have it.
    case delivered
    /// All sinks have answered, and some rejected it.
    case failed(String)
  }

  /// A final answer.
  enum Answer: Equatable, Sendable {
    /// The receiver has the item.
    case delivered
    /// The receiver rejected the item permanently, with a reason.
    case rejected(String)
  }

  private let names: [String]
  /// Items that some but not all sinks have answered.
  private var answers: [ItemID: [Int: Answer]] = [:]

  /// A ledger without answers.
  init(sinks names: [String]) { self.names = names }

  /// Records an answer.
  mutating func record(_ answer: Answer, of sink: Int, for id: ItemID) -> Result {
    var known = answers[id] ?? [:]
    known[sink] = answer
    if known.count < names.count {
      answers[id] = known
      return .incomplete
    }
    answers[id] = nil
    return result(known)
  }

  /// Whether all other sinks have answered.
  func isLast(_ sink: Int, for id: ItemID) -> Bool {
    let known = answers[id] ?? [:]
    return known[sink] == nil && known.count == names.count - 1
  }

  /// Removes the answers about an item.
  mutating func forget(_ id: ItemID) { answers[id] = nil }

  private func result(_ known: [Int: Answer]) -> Result {
    var reason = ""
    for (index, name) in names.enumerated() {
      guard case .rejected(let why) = known[index] else { continue }
      reason += (reason.isEmpty ? "" : "\n") + "\(name): \(why)"
    }
    return reason.isEmpty ? .delivered : .failed(reason)
  }
}

/// An item in a queue.
struct QueueEntry: Equatable, Sendable {
  /// The position in the order of signing.
  let sequence: Int64
  /// The item.
  let id: ItemID

  /// The one of both that was signed first.
  func older(_ other: QueueEntry?) -> QueueEntry {
    guard let other, other.precedes(self) else { return self }
    return other
  }

  /// Compares ids where a forged manifest repeats a number.
  fileprivate func precedes(_ other: QueueEntry) -> Bool {
    (sequence, id.high, id.low) < (other.sequence, other.id.high, other.id.low)
  }
}

/// A sorted array of entries without duplicates.
struct OrderedEntries: Sendable {
  // A slice, so that removing the oldest entry moves nothing.
  private var entries: ArraySlice<QueueEntry> = []

  var count: Int { entries.count }
  var oldest: QueueEntry? { entries.first }

  /// Returns false if it contains the entry already.
  @discardableResult
  mutating func insert(_ entry: QueueEntry) -> Bool {
    let index = index(of: entry)
    if index < entries.endIndex, entries[index] == entry { return false }
    entries.insert(entry, at: index)
    return true
  }

  /// In the order of signing.
  static func sorted(_ entries: [QueueEntry]) -> [QueueEntry] {
    entries.sorted { $0.precedes($1) }
  }

  /// Inserts entries of any order in one pass.
  mutating func insert(contentsOf added: [QueueEntry]) {
    let added = Self.sorted(added)
    guard let first = added.first else { return }
    let start = index(of: first)
    let tail = Array(entries[start...])
    entries.removeSubrange(start...)
    var (left, right) = (tail.startIndex, added.startIndex)
    while left < tail.endIndex || right < added.endIndex {
      let isLeft =
        right == added.endIndex || left < tail.endIndex && !added[right].precedes(tail[left])
      let entry = isLeft ? tail[left] : added[right]
      if isLeft { left += 1 } else { right += 1 }
      if entries.last != entry { entries.append(entry) }
    }
  }

  /// Returns false if it does not contain the entry.
  @discardableResult
  mutating func remove(_ entry: QueueEntry) -> Bool {
    let index = index(of: entry)
    guard index < entries.endIndex, entries[index] == entry else { return false }
    entries.remove(at: index)
    return true
  }

  func first(where isMatch: (QueueEntry) -> Bool) -> QueueEntry? {
    entries.first(where: isMatch)
  }

  mutating func removeAll(where isMatch: (QueueEntry) -> Bool) {
    entries.removeAll(where: isMatch)
  }

  mutating func popNewest() -> QueueEntry? { entries.popLast() }
  mutating func popOldest() -> QueueEntry? { entries.popFirst() }

  /// The index of an entry, or the index where it would be inserted.
  private func index(of entry: QueueEntry) -> Int {
    var (low, high) = (entries.startIndex, entries.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].precedes(entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
