/// Reads the fields of a line from left to right. A field of another kind is nil.
struct FieldCursor {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Whether only blanks follow.
  var isAtEnd: Bool { bytes[position...].allSatisfy(FieldCursor.isBlank) }

  /// Whether only blanks and a comment follow.
  var isAtEndOrComment: Bool {
    guard let rest = bytes[position...].first(where: { !FieldCursor.isBlank($0) }) else {
      return true
    }
    return rest == UInt8(ascii: "#")
  }

  mutating func skipBlanks() {
    while position < bytes.endIndex && FieldCursor.isBlank(bytes[position]) { position += 1 }
  }

  /// The byte at the cursor.
  var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  /// Skips a text. Returns false if it is not at the cursor.
  mutating func skip(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Whether a text is at the cursor.
  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard count <= bytes.endIndex - position else { return false }
    let start = unsafe text.utf8Start
    for offset in 0..<count {
      if unsafe start[offset] != bytes[position + offset] { return false }
    }
    return true
  }

  /// The rest of the line without blanks around it.
  mutating func rest() -> String {
    skipBlanks()
    var end = bytes.endIndex
    while end > position && FieldCursor.isBlank(bytes[end - 1]) { end -= 1 }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  /// Reads an integer up to a blank or the end of the line. "-001" and "0930" are decimal.
  mutating func integer(radix: Int64 = 10) -> Int64? {
    skipBlanks()
    let isNegative = peek == UInt8(ascii: "-")
    if isNegative || peek == UInt8(ascii: "+") { position += 1 }
    guard let value = digits(radix: radix), isAtFieldEnd else { return nil }
    return isNegative ? -value : value
  }

  /// Reads an integer that fits a type.
  mutating func integer<T: FixedWidthInteger>(radix: Int64 = 10, as type: T.Type) -> T? {
    guard let value = integer(radix: radix) else { return nil }
    return T(exactly: value)
  }

  /// Reads seconds with a fraction, in nanoseconds.
  mutating func seconds() -> Int64? {
    skipBlanks()
    guard let whole = digits(radix: 10), whole <= 9_000_000_000 else { return nil }
    var nanoseconds: Int64 = 0
    if peek == UInt8(ascii: ".") {
      position += 1
      var unit: Int64 = 100_000_000
      while let digit = decimalDigit {
        nanoseconds += digit * unit
        unit /= 10
        position += 1
      }
    }
    return isAtFieldEnd ? whole * 1_000_000_000 + nanoseconds : nil
  }

  /// Reads a decimal number: sign, digits, fraction, exponent. Exact for up to 15 digits.
  mutating func real() -> Double? {
    skipBlanks()
    let isNegative = peek == UInt8(ascii: "-")
    if isNegative || peek == UInt8(ascii: "+") { position += 1 }
    guard let mantissa = mantissa() else { return nil }
    var exponent = mantissa.exponent
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      let isSmall = peek == UInt8(ascii: "-")
      if isSmall || peek == UInt8(ascii: "+") { position += 1 }
      guard let power = digits(radix: 10), power < 400 else { return nil }
      exponent += isSmall ? -Int(power) : Int(power)
    }
    guard isAtFieldEnd else { return nil }
    var value = mantissa.digits
    var power = 1.0
    for _ in 0..<min(abs(exponent), 400) { power *= 10 }
    value = exponent < 0 ? value / power : value * power
    guard value.isFinite else { return nil }
    return isNegative ? -value : value
  }

  /// Reads digits with a point, as an integer and a power of ten.
  private mutating func mantissa() -> (digits: Double, exponent: Int)? {
    var (value, exponent, count) = (0.0, 0, 0)
    var isFraction = false
    while true {
      if let digit = decimalDigit {
        value = value * 10 + Double(digit)
        if isFraction { exponent -= 1 }
        count += 1
      } else if peek == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      position += 1
    }
    return count > 0 && count < 300 ? (value, exponent) : nil
  }

  private var decimalDigit: Int64? {
    guard let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    return Int64(byte - UInt8(ascii: "0"))
  }

  private mutating func digits(radix: Int64) -> Int64? {
    var value: Int64 = 0
    var count = 0
    while let digit = digit(radix: radix) {
      guard value < Int64.max / 32 else { return nil }
      value = value * radix + digit
      count += 1
      position += 1
    }
    return count > 0 ? value : nil
  }

  private func digit(radix: Int64) -> Int64? {
    guard let byte = peek else { return nil }
    let digit: Int64
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = Int64(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = Int64(byte - UInt8(ascii: "A")) + 10
    default: return nil
    }
    return digit < radix ? digit : nil
  }

  private var isAtFieldEnd: Bool {
    guard let byte = peek else { return true }
    return FieldCursor.isBlank(byte) || byte == UInt8(ascii: "#")
  }
}

/// The lines of a file in any encoding.
struct TextLines {
  private let bytes: [UInt8]
  private var position = 0
  /// The number of the last line that `next` returned, from 1.
  private(set) var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // Skips a byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The next line without its end (LF or CR LF); nil after the last one.
  mutating func next() -> FieldCursor? {
    guard position < bytes.count else { return nil }
    let start = position
    while position < bytes.count && bytes[position] != UInt8(ascii: "\n") { position += 1 }
    var end = position
    position += 1
    if end > start && bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    number += 1
    return FieldCursor(bytes[start..<end])
  }

  /// Whether only blank lines follow. An error in the line before then means a truncated recording.
  var isAtEnd: Bool {
    bytes[min(position, bytes.count)...].allSatisfy { FieldCursor.isBlank($0) || $0 == 10 }
  }
}

/// An error in a line, before the file's name is known.
struct LineError: Error {
  /// From 1; 0 is the whole file.
  var line: Int
  var reason: String

  init(_ line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }
}
