/// How long to wait after a failure: twice as long after each, up to a limit, with jitter so that a
/// fleet does not come back all at once.
public struct Backoff: Equatable, Sendable {
  /// After the first failure, in nanoseconds.
  public var first: Int64
  /// At most, in nanoseconds.
  public var longest: Int64

  /// Both in nanoseconds.
  public init(first: Int64, longest: Int64) {
    self.first = first
    self.longest = longest
  }

  /// The pause after `failures` in a row: between half of the full length and all of it.
  func pause(after failures: Int, jitter: inout Jitter) -> Int64 {
    var length = first
    for _ in 1..<max(1, min(failures, 64)) where length < longest {
      length = length > longest / 2 ? longest : length * 2
    }
    length = min(length, longest)
    return length - Int64(jitter.fraction() * Double(length / 2))
  }

  /// What is kept of a pause that a receiver asks for: an hour of it, or the longest pause where that is
  /// longer. A receiver may err; and where it names a date (RFC 9110, section 10.2.3), curl subtracts this
  /// machine's clock, which may be months behind.
  func pause(demanded: Int64) -> Int64 { min(demanded, max(longest, Self.longestDemand)) }

  private static let longestDemand: Int64 = 3_600_000_000_000
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
}
