/// How long to wait after a failure. The limit doubles with each failure, and the pause is a random part of it
/// ("full jitter"), so that a fleet does not come back all at once.
public struct Backoff: Equatable, Sendable {
  /// The limit after the first failure, in nanoseconds.
  public var first: Int64
  /// The limit at most, in nanoseconds.
  public var longest: Int64

  /// Both in nanoseconds.
  public init(first: Int64, longest: Int64) {
    self.first = first
    self.longest = longest
  }

  /// The pause after `failures` in a row: up to the limit, but at least half of the first one, so that nobody is
  /// asked again at once.
  func pause(after failures: Int, jitter: inout Jitter) -> Int64 {
    var limit = first
    for _ in 1..<max(1, min(failures, 64)) where limit < longest {
      limit = limit > longest / 2 ? longest : limit * 2
    }
    limit = min(limit, longest)
    return jitter.number(in: min(first, limit) / 2, limit)
  }

  /// What is kept of a pause that a receiver asks for: an hour of it, or the longest pause where that is
  /// longer, and up to half of it more, at random: a receiver may ask a whole fleet for the same. A receiver
  /// may err; and where it names a date (RFC 9110, section 10.2.3), curl subtracts this machine's clock, which may
  /// be months behind.
  func pause(demanded: Int64, jitter: inout Jitter) -> Int64 {
    let kept = max(0, min(demanded, max(longest, Self.longestDemand), 1 << 61))
    return kept + jitter.number(in: 0, kept / 2)
  }

  /// After something that many pads notice at the same moment, such as a network that comes back.
  func spread(jitter: inout Jitter) -> Int64 {
    jitter.number(in: 0, min(first, Self.longestSpread))
  }

  private static let longestDemand: Int64 = 3_600_000_000_000
  private static let longestSpread: Int64 = 10_000_000_000
}

/// A small generator of random fractions (SplitMix64, Steele et al. 2014); nothing secret hangs on it.
struct Jitter: Sendable {
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

  /// A number from the range, both ends of which are at least 0.
  mutating func number(in low: Int64, _ high: Int64) -> Int64 {
    // Doubles of 2^62 and less never round up beyond the largest Int64.
    low + Int64(fraction() * Double(min(max(0, high - low), 1 << 62)))
  }
}
