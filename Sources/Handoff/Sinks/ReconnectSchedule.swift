internal import Retry

/// When a client connects to its broker again. A state machine without clock and connection: times of the monotonic
/// clock come in.
///
/// Two clients with one client id evict each other: a broker ends the older connection when the id connects again
/// (MQTT 5, section 3.1.4). Some brokers name the reason (0x8E, MQTT 5 only). With others, several short connections in a
/// row that the broker ended without a reason count as a conflict. Each eviction then doubles the evicted client's pause,
/// from a minute to an hour. The clients end up taking turns of up to an hour, and each delivers in its turn; a connection
/// that outlasts twice the pause ends the conflict.
struct ReconnectSchedule: Sendable {
  /// How a connection ended that the broker had accepted.
  enum Loss: Equatable, Sendable {
    /// The broker ended it without a reason, and owed no acknowledgement. An eviction looks like that.
    case lost
    /// This side ended it after a time limit or a failed operation, or it ended before an acknowledgement.
    case local
    /// The broker gave another reason than a takeover.
    case named
    /// The broker reports that another client took over the session.
    case takenOver
  }

  /// When the next connection is due; the first one at once.
  private(set) var due: Int64
  private var backoff: Backoff
  private var random: SplitMix64
  private var outage = Outage()
  private var openedAt: Int64?
  private var shortConnections = 0
  /// Evictions in a row.
  private var evictions = 0
  private var pauseEnd: Int64?

  private static let conflictPauses = Backoff(first: 60_000_000_000, longest: 3_600_000_000_000)
  /// With this many earlier failures, the next one has the largest window of an outage's first
  /// hour.
  private static let fleetFailures = 4
  private static let shortTime: Int64 = 60_000_000_000
  /// The number of short connections in a row that count as a conflict; networks fail, too.
  private static let shortLimit = 3

  /// `bootDue`: the random time after a boot at which the queue's deliveries begin, because a fleet
  /// may have got power at the same time; nil: no boot, so that it connects at once. The schedule
  /// uses the same time: with two random times, the earlier one would count.
  init(_ backoff: Backoff, seed: UInt64, bootDue: Int64? = nil, at now: Int64) {
    self.backoff = backoff
    random = SplitMix64(seed: seed)
    due = bootDue ?? now
    if bootDue != nil { outage = Outage(failures: Self.fleetFailures) }
  }

  /// The rest of the pause after an eviction, during which nothing may connect; nil: none.
  func pause(at now: Int64) -> Int64? {
    guard let pauseEnd, pauseEnd > now else { return nil }
    return pauseEnd - now
  }

  /// The broker accepted the connection.
  mutating func opened(at now: Int64) {
    if openedAt != nil { return }
    openedAt = now
    pauseEnd = nil
    outage = Outage()
  }

  /// A connection failed before the broker accepted it. `isDelivery`: a delivery tried it. The
  /// queue retries the delivery within the same limit, so that the schedule connects by itself only
  /// later.
  mutating func failed(at now: Int64, isDelivery: Bool) {
    openedAt = nil
    outage.fail(at: now)
    let limit = backoff.limit(in: outage)
    due =
      now
      + (isDelivery
        ? limit + random.number(in: 0, limit) : backoff.delay(in: &outage, random: &random))
  }

  /// Ends every pause, because someone asks for a retry.
  mutating func retryNow(at now: Int64) {
    pauseEnd = nil
    due = now
  }

  /// The next connection has another client id. It begins soon, because nobody evicts that id, but
  /// not at once: all clients of a broker that crashes repeatedly seem to be evicted.
  mutating func clientChanged(at now: Int64) {
    (evictions, shortConnections, pauseEnd) = (0, 0, nil)
    outage = Outage(failures: Self.fleetFailures)
    due = now + backoff.spread(in: &outage, random: &random)
  }

  /// An accepted connection ended. Returns the pause if another client seems to use the client id.
  mutating func closed(_ loss: Loss, at now: Int64) -> Int64? {
    let time = now - (openedAt ?? now)
    openedAt = nil
    let isShort = evictions == 0 ? time < Self.shortTime : time < 2 * conflictLimit
    if !isShort { (evictions, shortConnections) = (0, 0) }
    let isSuspect = isShort && loss == .lost
    shortConnections += isSuspect ? 1 : 0
    guard loss == .takenOver || isSuspect && (evictions > 0 || shortConnections >= Self.shortLimit)
    else {
      // All clients lose a broker that restarts at the same time. If it is not back yet, short
      // windows would bring the failed clients together again.
      outage = Outage(failures: Self.fleetFailures)
      due = now + backoff.spread(in: &outage, random: &random)
      return nil
    }
    evictions += 1
    let pause = random.number(in: conflictLimit / 2, conflictLimit)
    due = now + pause
    pauseEnd = due
    return pause
  }

  private var conflictLimit: Int64 { Self.conflictPauses.limit(after: evictions) }

  /// A network came up: connects when the queue's deliveries begin again. `queueDue`: that time;
  /// nil: they have not stopped. Without it, keeps a time that is near, because it was random, too.
  mutating func networkChanged(at now: Int64, queueDue: Int64? = nil) {
    if pause(at: now) != nil { return }
    if let queueDue {
      due = queueDue
    } else if due > now + Backoff.longestSpread {
      due = now + backoff.spread(in: &outage, random: &random)
    }
  }
}
