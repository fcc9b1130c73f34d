/// Numbers as a configuration writes them: "." is the point in every locale.
enum Number {
  /// Digits with an optional sign; nil for anything else, or too large.
  static func integer(_ text: String) -> Int? {
    var digits = text.utf8[...]
    let negative = digits.first == UInt8(ascii: "-")
    if negative { digits = digits.dropFirst() }
    guard !digits.isEmpty else { return nil }
    var value = 0
    for digit in digits {
      guard digit.isDigit else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (next, overflow2) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
      if overflow || overflow2 { return nil }
      value = next
    }
    return negative ? -value : value
  }

  /// Digits with an optional sign and fraction, at most 15 of them: then one division gives the
  /// nearest Double. No exponent, no infinity.
  static func decimal(_ text: String) -> Double? {
    var rest = text.utf8[...]
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
    value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
  }
}
