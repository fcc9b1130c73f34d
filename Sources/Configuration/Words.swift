internal import CLinux
internal import Linux

/// Splits and joins words.
enum Words {
  /// Splits a text at its blanks.
  static func split(_ text: String) -> [String] {
    text.utf8.split { $0.isBlank }.map { String(Substring($0)) }
  }

  /// Splits "a=b" into "a" and "b"; nil without "=" or without a name.
  static func assignment(_ word: String) -> (name: String, value: String)? {
    let bytes = word.utf8
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")), sign > bytes.startIndex else {
      return nil
    }
    return (String(word[..<sign]), String(word[bytes.index(after: sign)...]))
  }

  /// The index of a text in a list of words; throws if it is missing.
  static func place(of text: String, in words: [String]) throws(Refusal) -> Int {
    if let place = words.firstIndex(of: text) { return place }
    throw Refusal("must be one of \(listed(words)), not \"\(text)\"")
  }

  /// Joins words as "a, b, c".
  static func listed(_ words: [String]) -> String { words.joined(separator: ", ") }
}

/// Parses and formats numbers with "." as the decimal point.
enum Number {
  /// Parses an integer of a range.
  static func integer(_ text: String, in range: ClosedRange<Int>) throws(Refusal) -> Int {
    // Int(_:) also accepts a plus sign.
    if text.utf8.first != UInt8(ascii: "+"), let value = Int(text), range.contains(value) {
      return value
    }
    throw Refusal(
      "must be a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
  }

  /// Parses a number of a range.
  static func decimal(_ text: String, in range: ClosedRange<Double>) throws(Refusal) -> Double {
    if let value = decimal(text), range.contains(value) { return value }
    let (low, high) = (self.text(range.lowerBound), self.text(range.upperBound))
    throw Refusal("must be a number from \(low) to \(high), not \"\(text)\"")
  }

  /// Parses at most 15 digits with an optional minus and fraction; nil for an exponent or infinity.
  ///
  /// With 15 digits, a single division yields the nearest Double.
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

  /// Splits a number from its unit: "1.5min" into 1.5 and "min".
  static func split(_ text: String) -> (number: Double, unit: String)? {
    let bytes = text.utf8
    let end = bytes.firstIndex { !$0.isDigit && $0 != UInt8(ascii: ".") } ?? bytes.endIndex
    guard let number = decimal(String(text[..<end])) else { return nil }
    return (number, String(text[end...]))
  }

  /// The text of a limit, in seven digits at most: "2" rather than "2.0".
  static func text(_ value: Double) -> String {
    if let whole = Int(exactly: value) { return "\(whole)" }
    // The text of a Double is another 5 kB of each program.
    return "\(Float(value))"
  }
}

extension String {
  /// The absolute path; "~/" stands for the home folder. Nil for another text.
  var absolutePath: String? {
    if isAbsolute { return self }
    guard utf8.starts(with: "~/".utf8), let home = unsafe getenv("HOME") else { return nil }
    let folder = unsafe String(cString: home)
    return folder.isAbsolute ? folder + String(Substring(utf8.dropFirst())) : nil
  }

  /// Whether the path is absolute.
  var isAbsolute: Bool { utf8.first == UInt8(ascii: "/") }
}
