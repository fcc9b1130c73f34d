internal import Control
internal import Text

/// The rules for a text that a client uploads as a document.
enum DocumentText {
  /// The maximum length, in code points.
  static let limit = 20_000

  private static var tooLong: DocumentProblem {
    DocumentProblem(page: 1, "the text has more than \(limit) characters")
  }
  /// The problem of a text that would keep the main thread for too long.
  static var tooMixed: DocumentProblem {
    DocumentProblem(
      page: 1,
      "the text has more than \(TextFlow.runLimit) lines and changes of script or direction")
  }
  private static var hasControl: DocumentProblem {
    DocumentProblem(page: 1, "the text has a control character")
  }

  /// Checks a part, which may begin and end within a character.
  ///
  /// - Parameter size: The bytes of the text before it.
  static func check(_ part: [UInt8], after size: Int) throws(DocumentProblem) {
    // A code point has up to four bytes.
    guard size + part.count <= 4 * limit else { throw tooLong }
    let (tab, lineFeed) = (UInt8(ascii: "\t"), UInt8(ascii: "\n"))
    let isControl = part.contains {
      $0 < 0x20 && $0 != tab && $0 != lineFeed || $0 == 0x7F
    }
    if isControl { throw hasControl }
  }

  /// Reads a text whose parts have passed.
  static func text(of bytes: [UInt8]) throws(DocumentProblem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DocumentProblem(page: 1, "the text is not UTF-8")
    }
    guard text.unicodeScalars.count <= limit else { throw tooLong }
    if text.unicodeScalars.contains(where: { (0x80..<0xA0).contains($0.value) }) {
      throw hasControl
    }
    return text
  }
}
