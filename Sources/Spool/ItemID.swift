/// The name of a signature: a UUID of version 7 (RFC 9562). It names and never orders: clocks leap.
public struct ItemID: Hashable, Sendable {
  /// The first and the last eight bytes.
  public let high: UInt64, low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// When it was made by the clock of its maker, in nanoseconds since 1970.
  public var time: Int64 {
    let (time, overflow) = Int64(high >> 16).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : time
  }

  /// Reads the one spelling that folders have: lower case, with hyphens, version 7. Nil for any other.
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

  /// Reads the one spelling that folders have. Nil for any other.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  /// "0192f0c1-2d3e-7a4b-8c5d-6e7f80910203".
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for place in 0..<32 {
      if place == 8 || place == 12 || place == 16 || place == 20 { bytes.append(UInt8(ascii: "-")) }
      let word = place < 16 ? high : low
      bytes.append(Hexadecimal.digit(UInt8(word >> UInt64(60 - 4 * (place % 16)) & 0xf)))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
