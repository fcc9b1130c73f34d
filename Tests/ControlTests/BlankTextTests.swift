import JSON
import Linux
import Testing

@testable import Control

@Suite struct BlankTextTests {
  @Test func `white space, control and format characters are blank, and nothing else is`() {
    // The planes with characters of these kinds.
    for value in [0...UInt32(0x1FFFF), 0xE0000...0xE0FFF].joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      let isBlank = scalar.properties.isWhitespace || category == .control || category == .format
      guard BlankText.isBlank(String(scalar)) != isBlank else { continue }
      Issue.record("U+\(String(value, radix: 16))")
    }
    #expect(BlankText.isBlank(""))
    #expect(!BlankText.isBlank("\u{200B}a\u{200B}"))
  }
}
