extension UInt8 {
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  var startsComment: Bool { self == UInt8(ascii: "#") || self == UInt8(ascii: ";") }
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isNameByte: Bool {
    let lower = self | 0x20
    return isDigit || lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
      || self == UInt8(ascii: "-")
  }
}

extension ArraySlice<UInt8> {
  /// Without the blanks at both ends.
  var trimmed: ArraySlice<UInt8> {
    var slice = self
    while slice.first?.isBlank == true { slice = slice.dropFirst() }
    while slice.last?.isBlank == true { slice = slice.dropLast() }
    return slice
  }
}
