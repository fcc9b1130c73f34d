internal import Retry
internal import Spool

/// The items without a time stamp: which is fetched next, and which sinks may have. A state machine without clock, disk
/// and network: times come in, actions go out.
///
///     add ─▶ waiting ── stamped ─────────────────────────────▶ sinks have it, with the time stamp
///                │  ▲     └─ rejected for good, or too late ──▶ sinks have it, marked; it is fetched until it left `new`
///                └──┘ fetch failed: retried like a delivery
///
/// The authority is retried like a sink, by a `SinkQueue` of its own.
///
/// An item waits from the time that this boot first saw it, by the monotonic clock, which never jumps. The time since it
/// was signed counts too, but only if the wall clock was synchronised then and is now: a board without a battery
/// starts in 1970, and its clock jumps when it is set. Whichever is longer counts, so that no clock makes an item wait
/// longer than its time in one boot.
///
/// An item whose time has passed is released after one attempt, because the pad may have been off. In a backlog, items
/// without an attempt are released when the authority fails, or `wait` after they were added.
struct TimestampQueue {
  /// The states of an item by sink.
  typealias States = [String: SinkState]

  /// An item that sinks do not have yet.
  struct Held {
    let entry: QueueEntry
    let states: States
    /// When it has waited for long enough, CLOCK_MONOTONIC.
    fileprivate let due: Int64
    /// When it may be released without an attempt if the authority fails, CLOCK_MONOTONIC.
    fileprivate let earliestRelease: Int64
    /// When it may be released without an attempt in any case, CLOCK_MONOTONIC.
    fileprivate let latestRelease: Int64
    /// Whether a fetch was attempted since it was added.
    fileprivate var isTried = false
    /// When it was signed, by a synchronised clock, in nanoseconds since 1970; nil: unknown.
    fileprivate let signed: Int64?
  }

  private var fetches: SinkQueue
  private var held: [ItemID: Held] = [:]
  /// Held items that have waited for long enough, in the order of signing.
  private var expired: ArraySlice<QueueEntry> = []
  /// How long items wait, in nanoseconds.
  private let wait: Int64
  /// How long an item waits for an attempt although the authority fails, in nanoseconds: the network of a pad that was
  /// off may come up later than the pad.
  private var minimumWait: Int64
  /// No held item is released before this time.
  private var earliest = Int64.max

  private static let sliceLength = 16
  /// How often the wall clock is looked at.
  private static let interval: Int64 = 60_000_000_000

  init(wait: Int64, minimumWait: Int64, _ backoff: Backoff, seed: UInt64) {
    self.wait = wait
    self.minimumWait = min(wait, minimumWait)
    fetches = SinkQueue(backoff, seed: seed)
  }

  var isBusy: Bool { fetches.isBusy }
  /// Whether failures have opened the circuit breaker.
  var isFailing: Bool { fetches.isFailing }
  /// The number of items that sinks do not have yet.
  var heldCount: Int { held.count }
  /// The number of items without a time stamp.
  var count: Int { fetches.count }
  /// Whether `expire` has more items to return at once.
  var hasExpired: Bool { !expired.isEmpty }
  /// The oldest item by its id that sinks do not have yet; nil: there is none.
  var oldest: ItemID? { held.keys.min { $0.time < $1.time } }

  func isFetching(_ entry: QueueEntry) -> Bool { fetches.isDelivering(entry) }

  // MARK: Items

  /// Adds an item without a time stamp. Returns whether sinks may have it at once, because no item waits.
  ///
  /// - Parameters:
  ///   - seen: When this boot first saw it, CLOCK_MONOTONIC.
  ///   - signed: When it was signed, if the clock was synchronised then, in nanoseconds since 1970.
  ///   - wall: The wall clock if it is synchronised now, in nanoseconds since 1970.
  mutating func add(
    _ entry: QueueEntry, _ states: States, seen: Int64, signed: Int64?, wall: Int64?, at now: Int64
  ) -> Bool {
    fetches.enqueueNew(entry)
    if wait == 0 { return true }
    var due = min(seen, now) + wait
    if let left = left(signed, wall) { due = min(due, now + left) }
    let item = Held(
      entry: entry, states: states, due: due, earliestRelease: now + minimumWait,
      latestRelease: now + wait, signed: signed)
    held[entry.id] = item
    earliest = min(earliest, release(of: item), now + Self.interval)
    return false
  }

  /// Adds an item without a time stamp that sinks may have already.
  mutating func addMissed(_ entry: QueueEntry) { fetches.enqueue([entry]) }

  /// Removes an item that left `new`, or that its readers must judge. Returns the item if it was
  /// held. A running fetch continues, and stores the time stamp.
  @discardableResult
  mutating func remove(_ entry: QueueEntry) -> Held? {
    fetches.cancel(entry)
    return held.removeValue(forKey: entry.id)
  }

  /// Removes items that left `new`, in one pass. A running fetch continues, as with one item.
  mutating func remove(_ entries: [QueueEntry]) {
    for entry in entries {
      if fetches.isDelivering(entry) { fetches.cancel(entry) }
      held[entry.id] = nil
    }
    fetches.cancel(Set(entries.map { $0.id }))
  }

  /// Removes and returns items that have waited for long enough, in the order of signing. There may be more, because
  /// the caller writes to the disk for each; then it is due again.
  mutating func expire(at now: Int64, wall: Int64?) -> [Held] {
    if expired.isEmpty && now >= earliest { findExpired(at: now, wall) }
    var slice: [Held] = []
    while slice.count < Self.sliceLength, let entry = expired.popFirst() {
      // Others have their time stamp by now, or left.
      if let item = held.removeValue(forKey: entry.id) { slice.append(item) }
    }
    return slice
  }

  private mutating func findExpired(at now: Int64, _ wall: Int64?) {
    var found: [QueueEntry] = []
    earliest = .max
    for item in held.values {
      // A clock that was set meanwhile.
      let isLate = now >= item.due || (left(item.signed, wall) ?? 1) <= 0
      if isLate && now >= permission(of: item) {
        found.append(item.entry)
      } else {
        earliest = min(earliest, release(of: item), now + Self.interval)
      }
    }
    expired = OrderedEntries.sorted(found)[...]
  }

  /// When an item that has waited for long enough may be released.
  private func permission(of item: Held) -> Int64 {
    if item.isTried { return .min }
    return fetches.isFailing ? item.earliestRelease : item.latestRelease
  }

  /// When an item is released, by the monotonic clock.
  private func release(of item: Held) -> Int64 { max(item.due, permission(of: item)) }

  /// Releases items as soon as the authority fails, in a run that ends when nothing is under way.
  mutating func setImpatient() { minimumWait = 0 }

  /// How long an item may wait by the wall clock, in nanoseconds; nil: that clock does not tell.
  private func left(_ signed: Int64?, _ wall: Int64?) -> Int64? {
    guard let signed, let wall, wall >= signed else { return nil }
    let (age, overflow) = wall.subtractingReportingOverflow(signed)
    return overflow ? 0 : wait - min(age, wait)
  }

  // MARK: Fetches

  /// Begins the next fetch, if there is one.
  mutating func next(at now: Int64) -> SinkQueue.Action { fetches.next(at: now) }

  /// When `next` or `expire` has something to do, if `next` has just returned this.
  func due(after action: SinkQueue.Action) -> Int64 {
    // A time in the past.
    if hasExpired { return 0 }
    if case .wait(let until) = action { return min(until, earliest) }
    return earliest
  }

  /// The running item has a time stamp now. Returns the number of the attempt, and the item if it was held.
  mutating func complete(_ entry: QueueEntry) -> (attempt: Int, held: Held?) {
    (fetches.complete(), held.removeValue(forKey: entry.id))
  }

  /// The running fetch failed.
  mutating func retry(
    _ entry: QueueEntry, at now: Int64, retryAfter: Int64?
  ) -> (attempts: Int, due: Int64) {
    setTried(entry, at: now)
    return fetches.retry(at: now, retryAfter: retryAfter)
  }

  /// The time stamp of the running item could not be stored. Returns when it is fetched again.
  mutating func postpone(_ entry: QueueEntry, at now: Int64) -> Int64 {
    setTried(entry, at: now)
    return fetches.postpone(at: now).due
  }

  private mutating func setTried(_ entry: QueueEntry, at now: Int64) {
    held[entry.id]?.isTried = true
    // Others too may go now that the authority fails.
    earliest = min(earliest, now)
  }

  /// The authority rejected the running item. If that is permanent, it is fetched no more, and returned if it was held.
  mutating func reject(
    _ entry: QueueEntry, at now: Int64
  ) -> (rejection: SinkQueue.Rejection, held: Held?) {
    setTried(entry, at: now)
    let rejection = fetches.reject(at: now)
    return (rejection, rejection == .permanent ? held.removeValue(forKey: entry.id) : nil)
  }

  /// The running fetch ended without a result.
  mutating func discard() { fetches.discard() }

  /// Makes all fetches due, on request.
  mutating func flush(at now: Int64) { fetches.flush(at: now, ignoringRetryAfter: true) }

  /// Begins fetches after a random delay, because a fleet may have got power at the same time.
  mutating func startSoon(at now: Int64) { fetches.startSoon(at: now) }

  /// Makes all fetches due after a random delay, because the network changed.
  mutating func flushSoon(at now: Int64) { fetches.flushSoon(at: now) }
}
