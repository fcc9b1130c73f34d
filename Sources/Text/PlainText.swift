/// A text as code points with bounded length and marks.
struct PlainText {
  /// As many as a client's text can have (2400 bytes); a longer text does not fit, whatever the panel.
  static let limit = 2400
  /// The maximum number of marks on a letter; orthographies need at most four.
  static let marks = 8
  static let newline: UInt32 = 0x0A
  static let space: UInt32 = 0x20

  private(set) var scalars: [UInt32] = []
  /// Whether the text exceeded the limit.
  private(set) var isCut = false

  /// Converts a text, and removes control characters, noncharacters and excess marks.
  ///
  /// Keeps line ends and replaces tabs by spaces.
  ///
  /// - Parameter limit: The maximum number of code points.
  init(_ text: String, limit: Int = PlainText.limit) {
    var attached = 0
    for scalar in text.unicodeScalars {
      guard let scalar = PlainText.accepted(scalar.value) else { continue }
      attached = CodePoint.isAttached(scalar) ? attached + 1 : 0
      if attached > PlainText.marks { continue }
      if scalars.count == limit {
        isCut = true
        return
      }
      scalars.append(scalar)
    }
  }

  /// The accepted part as a text again.
  var text: String {
    var text = String.UnicodeScalarView()
    for scalar in scalars { if let scalar = Unicode.Scalar(scalar) { text.append(scalar) } }
    return String(text)
  }

  private static func accepted(_ scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0x09: space
    // Line feed, vertical tab, form feed, next line, line and paragraph separator. A carriage return
    // accompanies a line feed and is removed.
    case 0x0A, 0x0B, 0x0C, 0x85, 0x2028, 0x2029: newline
    case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: nil
    default: scalar & 0xFFFE == 0xFFFE ? nil : scalar
    }
  }

  /// The paragraphs without line ends.
  var paragraphs: [ArraySlice<UInt32>] {
    scalars.split(separator: PlainText.newline, omittingEmptySubsequences: false)
  }
}
