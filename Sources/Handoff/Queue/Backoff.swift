/// Retry delays: exponential backoff with full jitter.
///
/// The limit doubles with each failure, and the delay is random below it, so that the pads of a fleet do
/// not retry at the same time.
struct Backoff: Equatable, Sendable {
  /// The limit after the first failure, in nanoseconds.
  var first: Int64
  /// The greatest limit, in nanoseconds.
  var longest: Int64

  /// Both in nanoseconds.
  init(first: Int64, longest: Int64) {
    self.first = first
    self.longest = longest
  }

  /// The delay after `failures` in a row: at most the limit, at least half of the first one.
  func delay(after failures: Int, random: inout SplitMix64) -> Int64 {
    var limit = first
    for _ in 1..<max(1, min(failures, 64)) where limit < longest {
      limit = limit > longest / 2 ? longest : limit * 2
    }
    limit = min(limit, longest)
    return random.number(in: min(first, limit) / 2, limit)
  }

  /// The delay that a receiver requests (Retry-After), bounded and extended by up to half of it at random.
  ///
  /// The bound is an hour, or `longest` if it is longer. A receiver may err, and for a date (RFC 9110, section
  /// 10.2.3) curl subtracts this machine's clock, which may be months behind. The extension helps a receiver
  /// that requests the same of a fleet.
  func delay(requested: Int64, random: inout SplitMix64) -> Int64 {
    let bounded = max(0, min(requested, max(longest, Self.longestRequest), 1 << 61))
    return bounded + random.number(in: 0, bounded / 2)
  }

  /// A random delay after an event that a fleet observes at the same time, such as a network's return.
  func spread(random: inout SplitMix64) -> Int64 {
    random.number(in: 0, min(first, Self.longestSpread))
  }

  private static let longestRequest: Int64 = 3_600_000_000_000
  private static let longestSpread: Int64 = 10_000_000_000
}

/// A pseudorandom generator (Steele et al. 2014). Not for secrets.
struct SplitMix64: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// From 0 up to, not including, 1.
  mutating func fraction() -> Double {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53 as UInt64)
  }

  /// A number in a range. Both ends are at least 0.
  mutating func number(in low: Int64, _ high: Int64) -> Int64 {
    // A Double of 2^62 or less is never rounded beyond the greatest Int64.
    low + Int64(fraction() * Double(min(max(0, high - low), 1 << 62)))
  }
}
