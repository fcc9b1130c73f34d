internal import Linux

/// Numbers as a configuration writes them: "." is the point in every locale.
enum Number {
  /// A whole number of a range; throws which.
  @inline(never)
  static func integer(_ text: String, in range: ClosedRange<Int>) throws(Refusal) -> Int {
    if let value = Int(text), range.contains(value) { return value }
    throw Refusal(
      "must be a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
  }

  /// A number of a range; throws which.
  @inline(never)
  static func decimal(_ text: String, in range: ClosedRange<Double>) throws(Refusal) -> Double {
    if let value = decimal(text), range.contains(value) { return value }
    let (low, high) = (self.text(range.lowerBound), self.text(range.upperBound))
    throw Refusal("must be a number from \(low) to \(high), not \"\(text)\"")
  }

  /// Digits with an optional sign and fraction, at most 15 of them: then one division gives the
  /// nearest Double. No exponent, no infinity.
  static func decimal(_ text: String) -> Double? {
    var rest = Array(text.utf8)[...]
    let negative = rest.first == UInt8(ascii: "-")
    if negative { rest = rest.dropFirst() }
    var (value, scale, digits, point) = (0.0, 1.0, 0, false)
    for byte in rest {
      if byte == UInt8(ascii: ".") && !point {
        point = true
      } else if byte.isDigit && digits < 15 {
        value = value * 10 + Double(byte - UInt8(ascii: "0"))
        if point { scale *= 10 }
        digits += 1
      } else {
        return nil
      }
    }
    if digits == 0 { return nil }
    return (negative ? -value : value) / scale
  }

  /// A number in front of its unit: "1.5" and "min" of "1.5min".
  static func split(_ text: String) -> (number: Double, unit: String)? {
    let bytes = Array(text.utf8)
    let end = bytes.firstIndex { !$0.isDigit && $0 != UInt8(ascii: ".") } ?? bytes.count
    guard let number = decimal(String(decoding: bytes[..<end], as: UTF8.self)) else { return nil }
    return (number, String(decoding: bytes[end...], as: UTF8.self))
  }

  /// The shortest text: "2" rather than "2.0".
  static func text(_ value: Double) -> String {
    if let whole = Int(exactly: value) { return "\(whole)" }
    return "\(value)"
  }
}
