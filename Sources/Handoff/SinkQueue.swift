internal import Spool

/// What one sink still has to deliver, and when. Knows no clock and no sink: times come in, an action
/// goes out.
///
///     add ─▶ ready ──take──▶ in flight ──delivered, never──▶ gone
///              ▲                 │ later
///              └── due ── waiting ◀┘
///
/// Oldest and newest items take turns, so that a fresh signature does not wait behind a backlog. Each
/// item has its own pause after a failure, so that one that always fails holds up nobody; when
/// several items in a row fail, it is the sink, and the sink as a whole pauses.
///
/// One rejection is the item's fault, many are the receiver's. A rejection is provisional, and the item waits
/// like one that failed, until the sink accepts another item; then it is asked again, and rejected again, it is
/// rejected for good. So a receiver that rejects everything rejects nothing for good: after three different
/// items in a row the sink pauses.
public struct SinkQueue: Sendable {
  /// What to do now.
  public enum Action: Equatable, Sendable {
    /// Nothing, until something is added.
    case rest
    /// Nothing, until this time.
    case wait(until: Int64)
    /// Deliver this item. Nothing else comes until its outcome is told.
    case deliver(QueueEntry)
  }

  /// An item that failed, and when it may be tried again.
  private struct Waiting: Sendable {
    let due: Int64
    let entry: QueueEntry
  }

  /// What became of an item that the receiver rejects.
  public enum Rejection: Equatable, Sendable {
    /// The sink accepted another item since it rejected this one before: it is out of the queue.
    case final
    /// It waits: how often it has failed, and when it is due. `opensBreaker`: it is the one after which the sink
    /// pauses.
    case provisional(attempts: Int, due: Int64, opensBreaker: Bool)
  }

  /// What the sink is doing.
  private enum Flight: Equatable, Sendable {
    case none
    case delivering(QueueEntry)
    /// It is still at work on an item that nobody wants delivered any more.
    case abandoned
  }

  /// The state of the sink as a whole. Times are of the monotonic clock.
  private enum Health: Sendable {
    /// The last answers, of different items, were failures: how many.
    case open(failures: Int)
    /// Nothing is tried before `until`. `demanded`: the receiver asked for it.
    case paused(until: Int64, since: Int64, failures: Int, demanded: Bool)

    var failures: Int {
      switch self {
      case .open(let failures): failures
      case .paused(_, _, let failures, _): failures
      }
    }
  }

  /// So many failures in a row are the sink's.
  static let patience = 3

  private let backoff: Backoff
  private var jitter: Jitter
  private var ready = OrderedEntries()
  /// By due time.
  private var waiting: [Waiting] = []
  private var attempts: [ItemID: Int] = [:]
  /// Items that were rejected, and whether the sink has accepted another one since.
  private var rejections: [ItemID: Bool] = [:]
  /// The first of the different items that were rejected in a row.
  private var rejectedInRow: [ItemID] = []
  private var flight = Flight.none
  private var health = Health.open(failures: 0)
  private var newestNext = false

  /// Whether the sink as a whole is not asked.
  public var isPaused: Bool {
    if case .paused = health { return true }
    return false
  }

  /// An empty queue.
  public init(_ backoff: Backoff, seed: UInt64) {
    self.backoff = backoff
    jitter = Jitter(seed: seed)
  }

  /// How many items are not delivered yet.
  public var count: Int {
    if case .delivering = flight { return ready.count + waiting.count + 1 }
    return ready.count + waiting.count
  }
  /// Whether the sink is at work.
  public var isBusy: Bool { flight != .none }
  /// Whether it is at work on this item, and the item is still to be delivered.
  public func isDelivering(_ entry: QueueEntry) -> Bool { flight == .delivering(entry) }

  /// An item that was there at the start, with the failed attempts that are on record. Those that
  /// failed before let the others go first. `isRejected`: by the last attempt.
  public mutating func add(
    _ entry: QueueEntry, attempts count: Int, isRejected: Bool = false, at now: Int64
  ) {
    attempts[entry.id] = count
    if isRejected { rejections[entry.id] = false }
    wait(entry, until: now + backoff.first)
  }

  /// Items that were there at the start and have not failed.
  public mutating func add(_ entries: [QueueEntry]) { ready.insert(contentsOf: entries) }

  /// An item that was published just now. A sink that pauses on its own account is tried with it.
  public mutating func addFresh(_ entry: QueueEntry, at now: Int64) {
    ready.insert(entry)
    if case .paused(let until, let since, let failures, demanded: false) = health {
      let soon = min(until, since + backoff.first)
      health = .paused(until: soon, since: since, failures: failures, demanded: false)
      newestNext = true
    }
  }

  /// What to do at this time.
  public mutating func next(at now: Int64) -> Action {
    if isBusy { return .rest }
    while let first = waiting.first, first.due <= now {
      waiting.removeFirst()
      ready.insert(first.entry)
    }
    if case .paused(let until, _, _, _) = health, now < until {
      return count == 0 ? .rest : .wait(until: until)
    }
    guard let entry = newestNext ? ready.takeNewest() : ready.takeOldest() else {
      return waiting.first.map { .wait(until: $0.due) } ?? .rest
    }
    newestNext.toggle()
    flight = .delivering(entry)
    return .deliver(entry)
  }

  /// Takes one of these items out of its turn, at a time when the sink may be asked.
  mutating func begin(at now: Int64, where isWanted: (ItemID) -> Bool) -> QueueEntry? {
    if isBusy { return nil }
    if case .paused(let until, _, _, _) = health, now < until { return nil }
    let found =
      ready.first { isWanted($0.id) }
      ?? waiting.first { $0.due <= now && isWanted($0.entry.id) }.map { $0.entry }
    guard let entry = found else { return nil }
    if !ready.remove(entry) { waiting.removeAll { $0.entry == entry } }
    flight = .delivering(entry)
    return entry
  }

  /// Puts an item in flight before its turn.
  public mutating func begin(_ entry: QueueEntry) { flight = .delivering(entry) }

  /// The receiver has the item in flight. Returns which attempt that was.
  @discardableResult
  public mutating func finish(at now: Int64) -> Int {
    let ended = flight
    flight = .none
    guard case .delivering(let entry) = ended else { return 0 }
    let attempt = (attempts.removeValue(forKey: entry.id) ?? 0) + 1
    rejections[entry.id] = nil
    rejectedInRow = []
    if case .paused = health { release() } else if !rejections.isEmpty { releaseRejected() }
    for id in rejections.keys { rejections[id] = true }
    health = .open(failures: 0)
    return attempt
  }

  /// The receiver rejects the item in flight.
  public mutating func reject(at now: Int64) -> Rejection {
    let ended = flight
    flight = .none
    guard case .delivering(let entry) = ended else {
      return .provisional(attempts: 0, due: now, opensBreaker: false)
    }
    if rejections[entry.id] == true {
      forget(entry)
      return .final
    }
    rejections[entry.id] = false
    let (count, due) = wait(entry, at: now, pause: nil)
    // The same item once more says nothing new of the sink, as long as others may fare better.
    let isFull = rejectedInRow.count >= Self.patience
    guard isFull || !rejectedInRow.contains(entry.id) else {
      return .provisional(attempts: count, due: due, opensBreaker: false)
    }
    if !isFull { rejectedInRow.append(entry.id) }
    fail(at: now, demanded: nil)
    return .provisional(
      attempts: count, due: due, opensBreaker: !isFull && rejectedInRow.count == Self.patience)
  }

  /// The item in flight has to be tried again. `pause`: what the receiver asked for, which is kept within
  /// bounds. Returns how often the item has failed now, and when it is due.
  @discardableResult
  public mutating func postpone(at now: Int64, pause: Int64?) -> (attempts: Int, due: Int64) {
    let ended = flight
    flight = .none
    guard case .delivering(let entry) = ended else { return (0, now) }
    let pause = pause.map { backoff.pause(demanded: $0, jitter: &jitter) }
    let (count, due) = wait(entry, at: now, pause: pause)
    fail(at: now, demanded: pause)
    return (count, due)
  }

  private mutating func wait(
    _ entry: QueueEntry, at now: Int64, pause: Int64?
  ) -> (attempts: Int, due: Int64) {
    let count = (attempts[entry.id] ?? 0) + 1
    attempts[entry.id] = count
    let due = now + max(backoff.pause(after: count, jitter: &jitter), pause ?? 0)
    wait(entry, until: due)
    return (count, due)
  }

  /// One failure more in a row.
  private mutating func fail(at now: Int64, demanded: Int64?) {
    let failures = health.failures + 1
    if let demanded {
      health = .paused(until: now + demanded, since: now, failures: failures, demanded: true)
    } else if failures >= Self.patience {
      let length = backoff.pause(after: failures - Self.patience + 1, jitter: &jitter)
      health = .paused(until: now + length, since: now, failures: failures, demanded: false)
    } else {
      health = .open(failures: failures)
    }
  }

  /// The item in flight could not be tried: it has gone, or is no item. That says nothing of the sink.
  public mutating func drop() {
    if case .delivering(let entry) = flight { forget(entry) }
    flight = .none
  }

  private mutating func forget(_ entry: QueueEntry) {
    attempts[entry.id] = nil
    rejections[entry.id] = nil
  }

  /// The item is not to be delivered any more.
  /// False if it is not in the queue.
  @discardableResult
  public mutating func remove(_ entry: QueueEntry) -> Bool {
    forget(entry)
    if flight == .delivering(entry) {
      flight = .abandoned
      return true
    }
    if ready.remove(entry) { return true }
    let count = waiting.count
    waiting.removeAll { $0.entry == entry }
    return waiting.count < count
  }

  /// Something has changed that may help (the network is back, somebody asked): try everything now,
  /// but keep the counts. `evenIfDemanded`: also where the receiver asked for a pause.
  public mutating func reset(at now: Int64, evenIfDemanded: Bool) {
    if case .paused(let until, _, _, demanded: true) = health, now < until, !evenIfDemanded {
      return
    }
    release()
    rejectedInRow = []
    health = .open(failures: 0)
  }

  /// The same after something that a whole fleet notices at once: each pad waits a while of its own. A sink
  /// without trouble goes on.
  public mutating func resetSoon(at now: Int64) {
    if case .open(failures: 0) = health, waiting.isEmpty { return }
    reset(at: now, evenIfDemanded: false)
    guard case .open = health else { return }
    let until = now + backoff.spread(jitter: &jitter)
    health = .paused(until: until, since: now, failures: 0, demanded: false)
  }

  private mutating func release() {
    for entry in waiting { ready.insert(entry.entry) }
    waiting.removeAll()
  }

  /// Those that are to be asked again, now that the sink has accepted another item.
  private mutating func releaseRejected() {
    for entry in waiting where rejections[entry.entry.id] == false { ready.insert(entry.entry) }
    waiting.removeAll { rejections[$0.entry.id] == false }
  }

  private mutating func wait(_ entry: QueueEntry, until due: Int64) {
    var place = waiting.count
    while place > 0 && waiting[place - 1].due > due { place -= 1 }
    waiting.insert(Waiting(due: due, entry: entry), at: place)
  }
}
