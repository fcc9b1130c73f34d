import Control
import Testing

@testable import Pad

/// The rules for a text that a client uploads as a document.
@Suite struct DocumentTextTests {
  private static let tooLong = DocumentProblem(
    page: 1, "the text has more than 20000 characters")
  private static let hasControl = DocumentProblem(page: 1, "the text has a control character")

  /// Why a part is refused; nil: it passes.
  private func refusal(of part: [UInt8], after size: Int = 0) -> DocumentProblem? {
    do throws(DocumentProblem) {
      try DocumentText.check(part, after: size)
      return nil
    } catch { return error }
  }

  @Test func `tabs and line feeds are the only control characters of a part`() {
    for byte in UInt8.min...UInt8.max {
      let isControl = byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == 0x7F
      // Within a part: its characters may begin and end outside.
      let part = [UInt8(ascii: "a"), byte, UInt8(ascii: "b")]
      #expect(refusal(of: part) == (isControl ? Self.hasControl : nil), "byte \(byte)")
    }
  }

  @Test func `a part passes up to the bytes of the longest text`() {
    let longest = 4 * DocumentText.limit
    #expect(refusal(of: [UInt8](repeating: 0x61, count: longest)) == nil)
    #expect(refusal(of: [0x61], after: longest - 1) == nil)
    #expect(refusal(of: [0x61], after: longest) == Self.tooLong)
    #expect(refusal(of: [0x61, 0x61], after: longest - 1) == Self.tooLong)
  }

  @Test(arguments: ["a", "😀", "é"]) func `characters are counted as code points`(_ letter: String)
    throws
  {
    let text = String(repeating: letter, count: DocumentText.limit / letter.unicodeScalars.count)
    #expect(try DocumentText.text(of: Array(text.utf8)) == text)
    #expect(throws: Self.tooLong) {
      try DocumentText.text(of: Array((text + letter).utf8))
    }
  }

  @Test(
    arguments: [[0xFF], [0xC3], [0x61, 0xE2, 0x82], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]])
  func `a text that is not UTF-8 is refused`(_ bytes: [UInt8]) {
    #expect(throws: DocumentProblem(page: 1, "the text is not UTF-8")) {
      try DocumentText.text(of: bytes)
    }
  }

  @Test func `control characters of two bytes are refused when the text is whole`() throws {
    for value in UInt32(0x80)..<0xA0 {
      let text = "a" + String(try #require(Unicode.Scalar(value))) + "b"
      #expect(refusal(of: Array(text.utf8)) == nil, "its bytes may be those of other characters")
      #expect(throws: Self.hasControl) { try DocumentText.text(of: Array(text.utf8)) }
    }
    #expect(try DocumentText.text(of: Array("a\u{A0}\t\n".utf8)) == "a\u{A0}\t\n")
  }
}
