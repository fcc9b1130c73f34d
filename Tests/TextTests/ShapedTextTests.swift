import Testing

@testable import Text

@Suite struct ShapedTextTests {
  func shaped(_ text: String, _ language: Language = .english) throws -> ShapedText {
    let scalars = PlainText(text).scalars
    return ShapedText(
      scalars[...], TextDirection(of: scalars[...], language), language, try Fonts.stack())
  }

  @Test func `latin letters come from left to right`() throws {
    #expect(try shaped("abc").glyphs.map(\.cluster) == [0, 1, 2])
  }

  @Test func `hebrew letters come from right to left`() throws {
    #expect(try shaped("שלום").glyphs.map(\.cluster) == [3, 2, 1, 0])
  }

  @Test func `a number within hebrew keeps its own order`() throws {
    #expect(try shaped("אב 12").glyphs.map(\.cluster) == [3, 4, 2, 1, 0])
  }

  @Test func `a name in hebrew letters is turned within an english line`() throws {
    #expect(try shaped("to אב.").glyphs.map(\.cluster) == [0, 1, 2, 4, 3, 5])
  }

  @Test func `arabic letters join: first, middle and last have other shapes than a single one`()
    throws
  {
    let word = try shaped("ببب").glyphs.map(\.index)
    let alone = try #require(try shaped("ب").glyphs.first?.index)
    #expect(Set(word + [alone]).count == 4)
  }

  @Test func `lam and alef become one glyph`() throws {
    #expect(try shaped("لا").glyphs.count == 1)
  }

  @Test func `a mark takes no room and stands over its letter`() throws {
    // There is no ready-made x with an acute accent.
    let glyphs = try shaped("x\u{301}y").glyphs
    #expect(glyphs.map(\.cluster) == [0, 0, 2])
    #expect(glyphs.map { $0.advance > 0 } == [true, false, true])
  }

  @Test func `a letter and its mark become the ready-made letter`() throws {
    let ready = try shaped("é").glyphs.map(\.index)
    #expect(try shaped("e\u{301}").glyphs.map(\.index) == ready)
  }

  @Test func `an ideograph comes from the font that has it and is an em wide`() throws {
    let glyphs = try shaped("a署名").glyphs
    #expect(glyphs.map(\.font) == [0, 1, 1])
    #expect(glyphs.dropFirst().allSatisfy { abs($0.advance - 1) < 0.01 && $0.index != 0 })
  }

  @Test func `blanks and points stay in the font of what is before them`() throws {
    #expect(try shaped("署 1.").glyphs.map(\.font) == [1, 1, 1, 1])
  }

  @Test func `a code point that no font has is a box, and reported once`() throws {
    let log = Log()
    let fonts = try FontStack(fonts: [Fonts.dejaVu], wellKnown: false) { log.lines.append($0) }
    for _ in 0..<3 {
      let text = ShapedText([0x7F72, 0x61], .leftToRight, .english, fonts)
      #expect(text.glyphs[0].index == 0)
      #expect(text.glyphs[1].index != 0)
    }
    #expect(log.lines.count == 1)
    #expect(log.lines.first?.contains("U+7F72") == true)
  }

  @Test func `a text full of unknown code points does not fill the log`() throws {
    let log = Log()
    let fonts = try FontStack(fonts: [Fonts.dejaVu], wellKnown: false) { log.lines.append($0) }
    _ = ShapedText(ArraySlice(0x4E00..<0x4F00), .leftToRight, .english, fonts)
    #expect(log.lines.count == FontStack.reportLimit + 1)
  }

  @Test func `without any font there is no glyph, and one line says so`() throws {
    let log = Log()
    let fonts = try FontStack(fonts: [], wellKnown: false) { log.lines.append($0) }
    #expect(ShapedText([0x61], .leftToRight, .english, fonts).glyphs.isEmpty)
    #expect(log.lines.count == 1)
  }

  @Test func `a font that cannot be used is named, and the next one serves`() throws {
    let log = Log()
    let broken = ["/nonexistent.ttf", #filePath, Fonts.dejaVu + "#7", Fonts.dejaVu]
    let fonts = try FontStack(fonts: broken, wellKnown: false) { log.lines.append($0) }
    #expect(ShapedText([0x61], .leftToRight, .english, fonts).glyphs.first?.font == 3)
    #expect(log.lines.count == 3)
    #expect(zip(broken, log.lines).allSatisfy { $1.contains($0) })
  }
}
