/// Retry delays: exponential backoff with full jitter.
///
/// The limit doubles with each failure, and the delay is random below it, so that the pads of a fleet do
/// not retry at the same time.
///
/// During an outage, consecutive windows have these limits as their lengths. Each pad tries once in
/// each window, always at the same position, which is random. The pads are thus spread evenly over
/// the window in which the receiver returns. With a new random delay after each failure, twice as
/// many would come at first, because the sum of two is rarely near the limit.
public struct Backoff: Equatable, Sendable {
  /// The limit after the first failure, in nanoseconds.
  public var first: Int64
  /// The greatest limit, in nanoseconds.
  public var longest: Int64
  /// The greatest limit in the first hour of an outage, in nanoseconds: most outages are shorter.
  public var longestEarly: Int64

  /// Creates delays from the first and the greatest limits, all in nanoseconds.
  public init(first: Int64, longest: Int64, longestEarly: Int64 = .max) {
    self.first = first
    self.longest = longest
    self.longestEarly = longestEarly
  }

  /// The greatest limit in the first hour of an outage of a fleet: half of the pads come within 30 s of its end, and
  /// a sixtieth in a second.
  public static let fleetLimit: Int64 = 60_000_000_000

  /// The delay after `failures` in a row: at most the limit, at least half of the first one.
  public func delay(after failures: Int, random: inout SplitMix64) -> Int64 {
    let limit = limit(after: failures)
    return random.number(in: min(first, limit) / 2, limit)
  }

  /// The delay after the last failure of an outage: at most the limit, at least half of the first one.
  public func delay(in outage: inout Outage, random: inout SplitMix64) -> Int64 {
    let limit = limit(in: outage)
    return outage.delay(within: limit, least: min(first, limit) / 2, random: &random)
  }

  /// The limit after `failures` in a row, in nanoseconds.
  public func limit(after failures: Int) -> Int64 { doubled(first, max(1, failures) - 1) }

  /// The limit after the last failure of an outage, in nanoseconds.
  public func limit(in outage: Outage) -> Int64 {
    let early = min(limit(after: outage.earlyFailures), max(first, longestEarly))
    return doubled(early, outage.lateFailures)
  }

  private func doubled(_ first: Int64, _ times: Int) -> Int64 {
    var limit = first
    for _ in 0..<min(times, 64) where limit < longest {
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

  /// The delay after which a new item is tried in spite of the limit: the first limit, or the one
  /// for a fleet's outage. With earlier attempts, all new items would arrive together at the
  /// receiver's return.
  public var fresh: Int64 {
    longestEarly == .max ? first : max(first, min(longestEarly, longest))
  }

  /// A random delay after an event that a fleet observes at the same time, such as a network's return or a boot.
  public func spread(random: inout SplitMix64) -> Int64 {
    random.number(in: 0, min(longest, Self.longestSpread))
  }

  /// Like `spread(random:)`, but the delay is the first window of an outage, so that the attempts
  /// of a fleet stay apart if they fail.
  public func spread(in outage: inout Outage, random: inout SplitMix64) -> Int64 {
    outage.move()
    return outage.delay(within: min(longest, Self.longestSpread), least: 0, random: &random)
  }

  private static let longestRequest: Int64 = 3_600_000_000_000
  /// The greatest delay of `spread`, in nanoseconds: in each second, a thirtieth of the fleet comes.
  public static let longestSpread: Int64 = 30_000_000_000
}
