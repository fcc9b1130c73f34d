internal import Retry

/// When a status may be published to a broker that ends the connection instead of acknowledging one.
///
/// RabbitMQ 4.0 denies a topic in this way. A pad that repeated its status would lose each connection, which signatures need
/// too. So it publishes none for a minute, then for twice as long each time, up to an hour. A state machine without clock:
/// times of the monotonic clock come in.
struct StatusRefusals: Sendable {
  /// When the next status may be published.
  private(set) var due: Int64 = .min
  /// The connections that ended so in a row.
  private var count = 0
  private var random: SplitMix64

  /// How many in a row count as a rejection: a broker may also restart while it owes an acknowledgement.
  static let limit = 3
  private static let pauses = Backoff(first: 60_000_000_000, longest: 3_600_000_000_000)

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The broker answered all statuses.
  mutating func answered() { (count, due) = (0, .min) }

  /// The broker ended the connection instead. Returns whether that counts as a rejection.
  mutating func refused(at now: Int64) -> Bool {
    if count < .max { count += 1 }
    if count < Self.limit { return false }
    due = now + Self.pauses.delay(after: count - Self.limit + 1, random: &random)
    return true
  }
}
