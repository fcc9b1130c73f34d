import Linux

/// A line on standard error.
enum Notice {
  static func write(_ line: String) { StandardError.write("paraph: \(line.printable)\n") }
}

extension String {
  /// Without control characters, which could move a terminal's cursor: others may have written the text.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "\u{FFFD}" : $0 }))
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}
