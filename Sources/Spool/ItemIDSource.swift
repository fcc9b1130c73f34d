public import Linux

/// Makes the ids of one process: each is greater than the one before, even where the clock stands
/// still or goes back (RFC 9562, section 6.2, method 2).
public struct ItemIDSource: Sendable {
  private var last: ItemID?

  /// A source that has made none.
  public init() {}

  /// The next id; `time` in nanoseconds since 1970.
  public mutating func next(at time: Int64) throws(Errno) -> ItemID {
    next(at: time, random: (try Randomness.bits(), try Randomness.bits()))
  }

  mutating func next(at time: Int64, random: (UInt64, UInt64)) -> ItemID {
    let milliseconds = UInt64(clamping: time / 1_000_000) & 0xffff_ffff_ffff
    let fresh = ItemID(
      high: milliseconds << 16 | 0x7000 | random.0 & 0xfff, low: 1 << 63 | random.1 >> 2)
    var next = fresh
    if let last, milliseconds <= last.high >> 16 {
      next = successor(of: last, step: random.1 >> 34)
    }
    last = next
    return next
  }

  /// A little further on in the random part, so that ids cannot be guessed from one another.
  private func successor(of id: ItemID, step: UInt64) -> ItemID {
    let low = (id.low & ~(1 << 63)) &+ step &+ 1
    if low >> 62 == 0 { return ItemID(high: id.high, low: 1 << 63 | low) }
    let random = (id.high & 0xfff) + 1
    if random <= 0xfff { return ItemID(high: id.high + 1, low: 1 << 63) }
    return ItemID(high: (id.high >> 16 + 1) << 16 | 0x7000, low: 1 << 63)
  }
}
