/// Retry delays: exponential backoff with full jitter.
///
/// The limit doubles with each failure, and the delay is random below it, so that the pads of a fleet do
/// not retry at the same time.
public struct Backoff: Equatable, Sendable {
  /// The limit after the first failure, in nanoseconds.
  public var first: Int64
  /// The greatest limit, in nanoseconds.
  public var longest: Int64

  /// Creates delays from the first and the greatest limit, both in nanoseconds.
  public init(first: Int64, longest: Int64) {
    self.first = first
    self.longest = longest
  }

  /// The delay after `failures` in a row: at most the limit, at least half of the first one.
  public func delay(after failures: Int, random: inout SplitMix64) -> Int64 {
    let limit = limit(after: failures)
    return random.number(in: min(first, limit) / 2, limit)
  }

  /// The limit after `failures` in a row, in nanoseconds.
  public func limit(after failures: Int) -> Int64 {
    var limit = first
    for _ in 1..<max(1, min(failures, 64)) where limit < longest {
      limit = limit > longest / 2 ? longest : limit * 2
    }
    return min(limit, longest)
  }

  /// The delay that a receiver requests (Retry-After), bounded and extended by up to half of it at random.
  ///
  /// The bound is an hour, or `longest` if it is longer. A receiver may err, and for a date (RFC 9110, section
  /// 10.2.3) curl subtracts this machine's clock, which may be months behind. The extension helps a receiver
  /// that requests the same of a fleet.
  public func delay(requested: Int64, random: inout SplitMix64) -> Int64 {
    let bounded = max(0, min(requested, max(longest, Self.longestRequest), 1 << 61))
    return bounded + random.number(in: 0, bounded / 2)
  }

  /// A random delay after an event that a fleet observes at the same time, such as a network's return.
  public func spread(random: inout SplitMix64) -> Int64 {
    random.number(in: 0, min(first, Self.longestSpread))
  }

  private static let longestRequest: Int64 = 3_600_000_000_000
  private static let longestSpread: Int64 = 10_000_000_000
}
