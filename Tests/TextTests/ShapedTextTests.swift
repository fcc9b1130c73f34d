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
  }

  @Test func `the log names the script that lacks a font, and nothing of the text`() throws {
    let log = Log()
    let fonts = try FontStack(fonts: [Fonts.dejaVu], wellKnown: false) { log.lines.append($0) }
    let name = "署名 คุณ"
    _ = ShapedText(name.unicodeScalars.map(\.value)[...], .leftToRight, .english, fonts)
    #expect(
      log.lines
        == ["Hani", "Thai"].map {
          "config: no font has all letters of the script \($0) (ISO 15924); boxes are shown:"
            + " add a font to [text] fallback-fonts"
        })
    #expect(
      !log.lines.contains { $0.contains("U+") || $0.contains { name.contains($0) && $0 != " " } })
  }

  @Test func `a text full of unknown code points does not fill the log`() throws {
    let log = Log()
    let fonts = try FontStack(fonts: [Fonts.dejaVu], wellKnown: false) { log.lines.append($0) }
    _ = ShapedText(ArraySlice(0x4E00..<0x4F00), .leftToRight, .english, fonts)
    #expect(log.lines.count == 1)
    // Scripts of the planes above: more than any text needs.
    for start in stride(from: UInt32(0x10000), to: 0x1F000, by: 0x100) {
      _ = ShapedText(ArraySlice(start..<start + 0x100), .leftToRight, .english, fonts)
    }
    #expect(log.lines.count == FontStack.reportLimit)
  }

  @Test func `a face of a collection is chosen by its number`() throws {
    // The second face of the file is the first one with letters of one width.
    func widths(_ file: String) throws -> [Float] {
      let fonts = try Fonts.stack([file])
      return ["i", "m"].map {
        ShapedText($0.unicodeScalars.map(\.value)[...], .leftToRight, .english, fonts).width
      }
    }
    let (first, second) = (try widths(Fonts.microHei + "#0"), try widths(Fonts.microHei + "#1"))
    #expect(first == (try widths(Fonts.microHei)) && first[0] < first[1])
    #expect(second[0] == second[1] && second[0] > 0)
  }

  @Test(arguments: [("#2", true), ("#10", true), ("#100", true), ("#1000", false), ("#", false)])
  func `up to three digits are the number of a face, and anything else is part of the name`(
    end: String, isNumber: Bool
  ) throws {
    let place = Fonts.microHei + end
    let reason = isNumber ? "no such face" : "cannot be opened"
    #expect(throws: FontError(path: place, reason: reason)) {
      _ = try FontFace(place, try FontLibrary())
    }
  }

  @Test func `a mark stands over the middle of its letter, as high as the letter is`() throws {
    let fonts = try Fonts.stack()
    func mark(_ letter: UInt32) throws -> (offset: SIMD2<Float>, advance: Float) {
      let glyphs = ShapedText([letter, 0x302], .leftToRight, .english, fonts).glyphs
      try #require(glyphs.count == 2)
      return (glyphs[1].offset, glyphs[0].advance)
    }
    let (capital, small) = (try mark(0x58), try mark(0x78))
    // DejaVu Sans: capitals of 1493/2048 em, small letters of 1120/2048; y points down.
    #expect(abs(small.offset.y - capital.offset.y - (1493 - 1120) / 2048) < 0.02)
    // Both marks are the same glyph, and the middles of the letters are half their widths apart.
    let first = capital.advance + capital.offset.x, second = small.advance + small.offset.x
    #expect(abs(first - second - (capital.advance - small.advance) / 2) < 0.02)
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
