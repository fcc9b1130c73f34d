/// A pseudorandom generator (Steele et al. 2014). Not for secrets.
public struct SplitMix64: Sendable {
  private var state: UInt64

  /// The same seed yields the same numbers.
  public init(seed: UInt64) { state = seed }

  /// From 0 up to, not including, 1.
  public mutating func fraction() -> Double {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53 as UInt64)
  }

  /// A number in a range. Both ends are at least 0.
  public mutating func number(in low: Int64, _ high: Int64) -> Int64 {
    // A Double of 2^62 or less is never rounded beyond the greatest Int64.
    low + Int64(fraction() * Double(min(max(0, high - low), 1 << 62)))
  }
}
