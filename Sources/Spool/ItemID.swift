public import Linux
internal import Nettle

/// The id of a signature: a UUID of version 7 (RFC 9562).
///
/// It orders nothing, because clocks jump. See `Manifest.sequence`.
public struct ItemID: Hashable, Sendable {
  /// The first and the last eight bytes.
  public let high: UInt64, low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The time of creation by the creator's clock, in nanoseconds since 1970.
  public var time: Int64 {
    let (time, overflow) = Int64(high >> 16).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : time
  }

  /// Parses the canonical spelling: lower case, with hyphens, version 7. Returns nil for any other text.
  public init?(_ text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var (high, low, digits) = (UInt64(0), UInt64(0), 0)
    for index in text.indices {
      let byte = text[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Hexadecimal.value(of: byte) else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
      digits += 1
    }
    guard digits == 32, high >> 12 & 0xf == 7, low >> 62 == 0b10 else { return nil }
    self.init(high: high, low: low)
  }

  /// Parses the canonical spelling. Returns nil for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  /// For example "0192f0c1-2d3e-7a4b-8c5d-6e7f80910203".
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 { bytes.append(UInt8(ascii: "-")) }
      let word = index < 16 ? high : low
      bytes.append(Hexadecimal.digit(UInt8(word >> UInt64(60 - 4 * (index % 16)) & 0xf)))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Generates the ids of one process.
///
/// Each id is greater than the one before, even if the clock stops or goes back (RFC 9562, section 6.2,
/// method 2).
public struct ItemIDSource: Sendable {
  private var last: ItemID?

  /// A source that has generated no id.
  public init() {}

  /// Generates an id. `time`: nanoseconds since 1970.
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

  /// Increments the random part by a random step, so that ids cannot be guessed from one another.
  private func successor(of id: ItemID, step: UInt64) -> ItemID {
    let low = (id.low & ~(1 << 63)) &+ step &+ 1
    if low >> 62 == 0 { return ItemID(high: id.high, low: 1 << 63 | low) }
    let random = (id.high & 0xfff) + 1
    if random <= 0xfff { return ItemID(high: id.high + 1, low: 1 << 63) }
    return ItemID(high: (id.high >> 16 + 1) << 16 | 0x7000, low: 1 << 63)
  }
}
