internal import Retry

/// Schedules the status messages of a connection.
///
/// A state machine without clock and connection: times of the monotonic clock come in.
///
/// A status is published on connection, after a change every 10 s at most, and every hour: a broker may lose retained
/// messages. The hour is shortened by up to a tenth at random, or a fleet that connected in a minute would report in a
/// minute for ever.
struct PresencePublisher: Sendable {
  /// When `next` may return a status.
  private(set) var due: Int64 = .max
  private var current: Presence?
  private var published: Presence?
  private var publishedAt: Int64?
  private var isConnected = false
  private var random: SplitMix64

  static let shortest: Int64 = 10_000_000_000
  static let longest: Int64 = 3_600_000_000_000

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Sets the status.
  mutating func update(_ status: Presence) {
    current = status
    schedule()
  }

  /// The broker accepted the connection, or it is open still.
  mutating func connected() {
    if isConnected { return }
    isConnected = true
    // The broker has published the last will.
    published = nil
    schedule()
  }

  /// The connection ended.
  mutating func disconnected() {
    isConnected = false
    due = .max
  }

  /// The status to publish now; nil: none.
  mutating func next(at now: Int64) -> Presence? {
    guard now >= due, isConnected, let current else { return nil }
    published = current
    publishedAt = now
    due = now + Self.longest - random.number(in: 0, Self.longest / 10)
    return current
  }

  private mutating func schedule() {
    guard isConnected, let current else { return }
    guard let published, let publishedAt else {
      due = 0
      return
    }
    if current.differs(from: published) { due = min(due, publishedAt + Self.shortest) }
  }
}
