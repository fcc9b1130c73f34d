extension String {
  /// The text without control characters, which could move a terminal's cursor or forge a line of a log.
  public var printable: String {
    if isPrintable { return self }
    return String(
      String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "\u{FFFD}" : $0 }))
  }

  /// Whether the text has no control characters.
  public var isPrintable: Bool { unicodeScalars.allSatisfy { !$0.isControl } }
}

extension Unicode.Scalar {
  /// Whether this is a control character of ASCII or Latin-1.
  public var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}
