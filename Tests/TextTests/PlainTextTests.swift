import Testing

@testable import Text

@Suite struct PlainTextTests {
  @Test func `control characters are dropped, tabs become blanks, line ends stay`() {
    let plain = PlainText("a\u{0}b\u{1B}[31m\tc\r\nd\u{2028}e\u{9F}\u{FFFE}")
    #expect(plain.scalars == Array("ab[31m c\nd\ne".unicodeScalars).map(\.value))
  }

  @Test func `a letter keeps a limited number of marks`() {
    let plain = PlainText("a" + String(repeating: "\u{301}", count: 1_000_000) + "b")
    #expect(plain.scalars.count == 2 + PlainText.marks)
    #expect(plain.scalars.last == 0x62)
  }

  @Test func `a long text is cut, and says so`() {
    let plain = PlainText(String(repeating: "x", count: 1_000_000))
    #expect(plain.scalars.count == PlainText.limit)
    #expect(plain.isCut)
    #expect(!PlainText(String(repeating: "x", count: PlainText.limit)).isCut)
  }

  @Test func `bytes that are no UTF-8 become replacement characters`() {
    let plain = PlainText(String(decoding: [0x61, 0xFF, 0xC3, 0x28] as [UInt8], as: UTF8.self))
    #expect(plain.scalars == [0x61, 0xFFFD, 0xFFFD, 0x28])
  }
}
