internal import Retry

/// Stops deliveries to a sink that fails repeatedly. Times are of the monotonic clock.
///
///     closed ── failureThreshold failures, or Retry-After ──▶ open ── retry delay ──▶ half-open
///       ▲                                                      ▲                        │  │
///       │                                                      └────── failure ─────────┘  │
///       └───────────────────────────────── success ────────────────────────────────────────┘
struct CircuitBreaker: Sendable {
  /// Whether deliveries may begin.
  enum State: Equatable, Sendable {
    /// The sink works, or has failed too few times.
    case closed
    /// No delivery begins before `until`.
    case open(until: Int64)
    /// The next delivery decides: its failure opens the breaker from `failureThreshold` failures in a row on, else
    /// closes it.
    case halfOpen
  }

  /// The number of failures in a row that are attributed to the sink.
  static let failureThreshold = 3

  private struct Opening: Sendable {
    var until: Int64
    /// When a new item may be tried.
    let fresh: Int64
    /// Whether the receiver requested the delay.
    let isRequested: Bool
  }

  private let backoff: Backoff
  private var failures = 0
  private var outage = Outage()
  /// Nil while closed.
  private var opening: Opening?

  /// A closed breaker.
  init(_ backoff: Backoff) { self.backoff = backoff }

  /// Whether deliveries are not restricted.
  var isClosed: Bool { opening == nil }
  /// Whether the last delivery failed.
  var hasFailures: Bool { failures > 0 }

  /// The state at a time.
  func state(at now: Int64) -> State {
    guard let opening else { return .closed }
    return now < opening.until ? .open(until: opening.until) : .halfOpen
  }

  /// A delivery succeeded.
  mutating func succeed() {
    failures = 0
    outage = Outage()
    opening = nil
  }

  /// A delivery failed. `retryAfter`: the delay that the receiver requested.
  mutating func fail(at now: Int64, retryAfter: Int64?, random: inout SplitMix64) {
    failures += 1
    opening = nil
    // The outage of a sink begins with the failure that opens the breaker.
    if failures >= Self.failureThreshold { outage.fail(at: now) }
    if let retryAfter {
      open(at: now, for: retryAfter, isRequested: true)
    } else if failures >= Self.failureThreshold {
      open(at: now, for: backoff.delay(in: &outage, random: &random))
    }
  }

  /// Opens for `delay` nanoseconds.
  mutating func open(at now: Int64, for delay: Int64, isRequested: Bool = false) {
    opening = Opening(until: now + delay, fresh: now + backoff.fresh, isRequested: isRequested)
  }

  /// Shortens the retry delay for a new item, unless the receiver requested it or the breaker is closed.
  /// Returns whether it did.
  mutating func shorten() -> Bool {
    guard var opening, !opening.isRequested else { return false }
    opening.until = min(opening.until, opening.fresh)
    self.opening = opening
    return true
  }

  /// Closes. Returns false if a requested delay has not passed; `ignoringRetryAfter` overrides it.
  mutating func reset(at now: Int64, ignoringRetryAfter: Bool) -> Bool {
    if let opening, opening.isRequested, now < opening.until, !ignoringRetryAfter { return false }
    succeed()
    return true
  }
}
