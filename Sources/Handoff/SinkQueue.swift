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
  /// failed before let the others go first.
  public mutating func add(_ entry: QueueEntry, attempts count: Int, at now: Int64) {
    attempts[entry.id] = count
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

  /// The item in flight is done with, for good or for bad: the sink has answered. Returns which attempt
  /// that was.
  @discardableResult
  public mutating func finish(at now: Int64) -> Int {
    let ended = flight
    flight = .none
    guard case .delivering(let entry) = ended else { return 0 }
    let attempt = (attempts.removeValue(forKey: entry.id) ?? 0) + 1
    if case .paused = health { release(at: now) }
    health = .open(failures: 0)
    return attempt
  }

  /// The item in flight has to be tried again. `pause`: what the receiver asked for, which is kept within
  /// bounds. Returns how often the item has failed now, and when it is due.
  @discardableResult
  public mutating func postpone(at now: Int64, pause: Int64?) -> (attempts: Int, due: Int64) {
    let ended = flight
    flight = .none
    guard case .delivering(let entry) = ended else { return (0, now) }
    let count = (attempts[entry.id] ?? 0) + 1
    attempts[entry.id] = count
    let pause = pause.map { backoff.pause(demanded: $0) }
    let due = now + max(backoff.pause(after: count, jitter: &jitter), pause ?? 0)
    wait(entry, until: due)
    let failures = health.failures + 1
    if let pause {
      health = .paused(until: now + pause, since: now, failures: failures, demanded: true)
    } else if failures >= Self.patience {
      let length = backoff.pause(after: failures - Self.patience + 1, jitter: &jitter)
      health = .paused(until: now + length, since: now, failures: failures, demanded: false)
    } else {
      health = .open(failures: failures)
    }
    return (count, due)
  }

  /// The item in flight could not be tried: it has gone, or is no item. That says nothing of the sink.
  public mutating func drop() {
    if case .delivering(let entry) = flight { attempts[entry.id] = nil }
    flight = .none
  }

  /// The item is not to be delivered any more.
  public mutating func remove(_ entry: QueueEntry) {
    attempts[entry.id] = nil
    if flight == .delivering(entry) { flight = .abandoned }
    if !ready.remove(entry) { waiting.removeAll { $0.entry == entry } }
  }

  /// Something has changed that may help (the network is back, somebody asked): try everything now,
  /// but keep the counts. `evenIfDemanded`: also where the receiver asked for a pause.
  public mutating func reset(at now: Int64, evenIfDemanded: Bool) {
    if case .paused(let until, _, _, demanded: true) = health, now < until, !evenIfDemanded {
      return
    }
    release(at: now)
    health = .open(failures: 0)
  }

  private mutating func release(at now: Int64) {
    for entry in waiting { ready.insert(entry.entry) }
    waiting.removeAll()
  }

  private mutating func wait(_ entry: QueueEntry, until due: Int64) {
    var place = waiting.count
    while place > 0 && waiting[place - 1].due > due { place -= 1 }
    waiting.insert(Waiting(due: due, entry: entry), at: place)
  }
}
