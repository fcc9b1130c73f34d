/// Writes text for XML as bytes.
enum XMLText {
  /// Appends markup unchanged.
  static func append(_ markup: StaticString, to text: inout [UInt8]) {
    markup.withUTF8Buffer { buffer in
      for index in 0..<buffer.count { unsafe text.append(buffer[index]) }
    }
  }

  /// Appends text with XML's reserved characters escaped.
  ///
  /// Control characters, U+FFFE and U+FFFF, which XML 1.0 cannot represent (section 2.2, Char), become blanks.
  static func append(_ string: String, to text: inout [UInt8]) {
    for byte in string.utf8 {
      switch byte {
      case 0xBE, 0xBF:
        text.append(byte)
        if text.suffix(3).elementsEqual([0xEF, 0xBF, byte]) { text[(text.count - 3)...] = [0x20] }
      case UInt8(ascii: "&"): append("&amp;" as StaticString, to: &text)
      case UInt8(ascii: "<"): append("&lt;" as StaticString, to: &text)
      case UInt8(ascii: ">"): append("&gt;" as StaticString, to: &text)
      case UInt8(ascii: "\""): append("&quot;" as StaticString, to: &text)
      case 0..<0x20: text.append(0x20)
      default: text.append(byte)
      }
    }
  }

  /// The hexadecimal digit of the lowest four bits.
  static func digit(_ value: UInt32) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: value & 15)
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}
