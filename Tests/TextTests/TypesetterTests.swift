import Ink
import Raster
import SyntheticHand
import Testing

@testable import Text

@Suite struct TypesetterTests {
  let prompt = "Parcel for Adelheid Brinkmann-Sørensen, third floor, please ring twice"

  @Test func `a millimetre is a millimetre at every size`() throws {
    let setter = try Fonts.typesetter()
    for size in [1, 3.5, 40] as [Float] {
      let line = setter.line("HHH", .english(size))
      let box = bounds(line)
      // DejaVu Sans: capitals of 1493/2048, an H of 1540/2048 em.
      #expect(abs(line.capHeight - size * 1493 / 2048) < 0.001 * size)
      #expect(abs(box.high.y - box.low.y - line.capHeight) < 0.001 * size)
      #expect(abs(box.high.y) < 0.001 * size)
      #expect(abs(line.width - 3 * size * 1540 / 2048) < 0.002 * size)
    }
  }

  @Test func `a line is filled by the rasteriser of the ink`() throws {
    let line = try Fonts.typesetter().line("I", .english(10))
    var rasteriser = Rasteriser()
    var mask = Coverage(width: 64, height: 96)
    _ = rasteriser.add(
      line.path, scale: Scale(x: 10, y: 10), offset: SIMD2(0, 90), to: &mask)
    // The stem of DejaVu's I: 201…403 of 2048 units, 73 pixels high.
    #expect(mask[15, 50] == 255 && mask[5, 50] == 0 && mask[24, 50] == 0)
    #expect(mask[15, 92] == 0 && mask[15, 10] == 0)
  }

  @Test func `the hole of an o stays open, and joined arabic letters have none at the joint`()
    throws
  {
    let setter = try Fonts.typesetter()
    var rasteriser = Rasteriser()
    var mask = Coverage(width: 240, height: 160)
    let scale = Scale(x: 10, y: 10)
    _ = rasteriser.add(
      setter.line("o", .english(10)).path, scale: scale, offset: SIMD2(0, 100), to: &mask)
    #expect(mask[30, 72] == 0 && mask[30, 99] > 0)
    mask.clear()
    let style = TextStyle(size: 10, language: try #require(Language("ar")))
    let word = setter.line("ـــ", style)
    _ = rasteriser.add(word.path, scale: scale, offset: SIMD2(0, 100), to: &mask)
    let box = bounds(word)
    let row = 100 + Int((box.low.y + box.high.y) * 5)
    let middle = (Int(box.low.x * 10) + 2)..<(Int(box.high.x * 10) - 2)
    #expect(middle.allSatisfy { mask[$0, row] == 255 })
  }

  @Test func `a prompt is wrapped at blanks into even lines that fit`() throws {
    let block = try Fonts.typesetter().block(prompt, .english(4), width: 60, lines: 3)
    #expect(block.lines.count == 3)
    let widths = block.lines.map(\.width)
    #expect(widths.allSatisfy { $0 <= 60 })
    #expect((widths.max() ?? 0) - (widths.min() ?? 0) < 20)
  }

  @Test func `of a text that does not fit, whole lines are set and their letters counted`() throws {
    let setter = try Fonts.typesetter()
    let block = setter.block(prompt, .english(4), width: 40, lines: 2)
    #expect(block.lines.count == 2)
    #expect(block.lines.allSatisfy { $0.width <= 40 })
    let shown = try #require(block.shown)
    #expect(shown > 20 && shown < prompt.unicodeScalars.count)
    // Exactly these letters are the same two lines, and nothing is missing then.
    let start = String(prompt.unicodeScalars.prefix(shown))
    let short = setter.block(start, .english(4), width: 40, lines: 2)
    #expect(short.shown == nil)
    let letters = { (lines: [TextLine]) in lines.reduce(0) { $0 + $1.width } }
    #expect(
      abs(letters(short.lines) - letters(block.lines)) < 2 * setter.line(" ", .english(4)).width + 4
    )
    #expect(setter.block(prompt, .english(4), width: 40, lines: 9).shown == nil)
  }

  @Test func `given line ends stay`() throws {
    let setter = try Fonts.typesetter()
    #expect(setter.block("one\ntwo", .english(4), width: 100, lines: 3).lines.count == 2)
    #expect(setter.block("1\n2\n3\n4", .english(4), width: 100, lines: 3).lines.count == 3)
  }

  @Test func `nothing is missing after the last line's end`() throws {
    let setter = try Fonts.typesetter()
    for text in ["one\n", "one\n\n \t\n", "one\r\n"] {
      for limit in 1...3 {
        let block = setter.block(text, .english(4), width: 100, lines: limit)
        #expect(block.lines.map(\.width) == [setter.line("one", .english(4)).width], "\(text)")
      }
    }
    let two = setter.block("one\ntwo\n", .english(4), width: 100, lines: 2)
    #expect(two.lines.map(\.width) == ["one", "two"].map { setter.line($0, .english(4)).width })
    // What is truncated is missing, though it comes after line ends.
    let long = "one" + String(repeating: "\n", count: PlainText.limit) + "two"
    let cut = setter.block(long, .english(4), width: 100, lines: 1)
    #expect(cut.lines.map(\.width) == [setter.line("one", .english(4)).width] && cut.shown != nil)
    #expect(setter.block("\n", .english(4), width: 100, lines: 3).lines.count == 1)
  }

  @Test func `japanese is wrapped between any two signs but not before a full stop`() throws {
    let style = TextStyle(size: 4, language: try #require(Language("ja")))
    let block = try Fonts.typesetter().block("ここにご署名ください。", style, width: 40.5, lines: 3)
    #expect(block.lines.count == 2)
    // Ten signs fit; the eleventh, the full stop, takes one with it.
    let single = try MeasuredText(
      PlainText("ここにご署名ください。").scalars[...], style.language, Fonts.stack())
    #expect(single.lines(fitting: 10.1, atMost: 3).map(\.count).reduce(0, +) == 11)
    #expect(single.lines(fitting: 10.1, atMost: 3).last?.count ?? 0 >= 2)
  }

  @Test func `a word that is longer than the line is cut between letters`() throws {
    let word = String(repeating: "Donaudampfschiff", count: 3)
    let block = try Fonts.typesetter().block(word, .english(4), width: 30, lines: 9)
    #expect(block.lines.count > 3)
    #expect(block.lines.allSatisfy { $0.width <= 30 })
  }

  @Test func `lines start on the side of their language`() throws {
    let setter = try Fonts.typesetter()
    let arabic = try #require(Language("ar"))
    let rtl = setter.block("وقّع هنا", TextStyle(size: 4, language: arabic), width: 50, lines: 1)
    let ltr = setter.block("Sign", .english(4), width: 50, lines: 1)
    #expect(ltr.origin(of: 0, corner: .zero, width: 50, .start).x == 0)
    #expect(rtl.origin(of: 0, corner: .zero, width: 50, .end).x == 0)
    let x = rtl.origin(of: 0, corner: .zero, width: 50, .start).x
    #expect(abs(x + rtl.lines[0].width - 50) < 0.001)
    #expect(setter.line("12:30", TextStyle(size: 4, language: arabic)).direction == .rightToLeft)
    #expect(setter.line("\u{200F}Acme: 12", .english(4)).direction == .rightToLeft)
  }

  @Test func `a date behind an arabic word runs the same way wherever the lines end`() throws {
    let text = "تاريخ العقد 2026-05-12"
    let start = text.unicodeScalars.count - 10
    let style = TextStyle(size: 4, language: try #require(Language("ar")))
    let setter = try Fonts.typesetter()
    var counts: Set<Int> = []
    for width in stride(from: Float(27), through: 80, by: 1) {
      let flow = setter.flow(text, style, width: width)
      counts.insert(flow.lines.count)
      let date = flow.lines.flatMap { $0.text.glyphs }.map { Int($0.cluster) - start }
      // 12-05-2026: behind the word, the hyphens have its direction (UAX 9, W2).
      #expect(date.filter { $0 >= 0 } == [8, 9, 7, 5, 6, 4, 0, 1, 2, 3], "\(width) mm")
    }
    #expect(counts == [1, 2])
  }

  @Test func `letters in an isolate or an override keep their order wherever the lines end`()
    throws
  {
    let setter = try Fonts.typesetter()
    for mark in ["\u{2067}", "\u{202E}"] {
      let text = "to " + mark + "one two three four five"
      let whole = setter.flow(text, .english(4), width: 200).lines.flatMap { $0.text.glyphs }
      let order = whole.map(\.cluster)
      let flow = setter.flow(text, .english(4), width: 25)
      #expect(flow.lines.count > 2)
      for line in flow.lines {
        let clusters = line.text.glyphs.map(\.cluster)
        #expect(clusters == order.filter { clusters.contains($0) })
      }
    }
  }

  @Test(arguments: ["Unter\u{AD}schrift", "Auf\u{AD}fahrt"])
  func `a word that breaks at a soft hyphen shows a hyphen, for which there is room`(
    _ text: String
  ) throws {
    let setter = try Fonts.typesetter()
    let hyphens = ShapedText([0x2010], .leftToRight, .english, try Fonts.stack())
    let hyphen = try #require(hyphens.glyphs.first)
    let flow = setter.flow(text, .english(4), width: 14)
    #expect(flow.lines.count == 2)
    #expect(flow.lines[0].text.glyphs.last == hyphen)
    // The text stays as it is.
    #expect(flow.text(of: 0..<2) == text)
    for text in [text, "Unter\u{AD}", "Unter\u{AD} schrift"] {
      let lines = setter.flow(text, .english(4), width: text.contains(" ") ? 14 : 40).lines
      #expect(!lines.contains { $0.text.glyphs.contains { $0.index == hyphen.index } })
    }
    for width in stride(from: Float(6), to: 30, by: 0.25) {
      let block = setter.block(text, .english(4), width: width, lines: 9)
      #expect(block.lines.allSatisfy { $0.width <= width + 0.001 }, "\(width) mm")
    }
  }

  @Test func `bold letters have thicker stems and keep their place`() throws {
    let setter = try Fonts.typesetter()
    let regular = setter.line("l", .english(10))
    let bold = setter.line("l", TextStyle(size: 10, bold: 0.04, language: .english))
    let (a, b) = (bounds(regular), bounds(bold))
    #expect(abs((b.high.x - b.low.x) - (a.high.x - a.low.x) - 0.4) < 0.01)
    #expect(regular.width == bold.width)
  }

  @Test func `a box stands for what no font has`() throws {
    let setter = Typesetter(fonts: try Fonts.stack([Fonts.dejaVu]))
    let line = setter.line("署", .english(10))
    #expect(!line.isEmpty)
    #expect(abs(line.width - 10 * ShapedText.boxAdvance) < 0.001)
  }

  @Test func `without any font lines are empty, and nothing fails`() throws {
    let setter = Typesetter(fonts: try Fonts.stack([]))
    #expect(setter.line("Sign here", .english(4)).isEmpty)
    #expect(setter.block(prompt, .english(4), width: 20, lines: 3).lines.allSatisfy { $0.isEmpty })
  }

  @Test(arguments: 0...16 as ClosedRange<UInt32>)
  func `every assigned code point is set`(_ plane: UInt32) throws {
    let setter = try Fonts.typesetter()
    let scalars = LineBreaksTests.plane(plane)
    for start in stride(from: 0, to: scalars.count, by: 400) {
      var text = String.UnicodeScalarView()
      for (index, scalar) in scalars[start..<min(start + 400, scalars.count)].enumerated() {
        if let scalar = Unicode.Scalar(scalar) { text.append(scalar) }
        // Beside a letter, in words of some length.
        if index % 8 == 0 { text.append("a") }
        if index % 16 == 3 { text.append(" ") }
      }
      let block = setter.block(String(text), .english(4), width: 80, lines: 3)
      #expect((1...3).contains(block.lines.count))
    }
  }

  @Test(arguments: 1...40) func `any text is set within its bounds`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let setter = try Fonts.typesetter()
    let ranges: [ClosedRange<UInt32>] = [
      0...0x7F, 0x80...0x24F, 0x300...0x36F, 0x590...0x6FF, 0x900...0x97F, 0xE00...0xE7F,
      0x1100...0x11FF, 0x2000...0x206F, 0x3000...0x30FF, 0x4E00...0x4FFF, 0xE000...0xE010,
      0xFE00...0xFE0F, 0xFFF0...0xFFFF, 0x1F600...0x1F64F, 0xE0000...0xE007F, 0x10FFF0...0x10FFFF,
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...800, using: &random) {
      let range = ranges.randomElement(using: &random) ?? 0...1
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    let language = ["en", "ar", "ja", "th", "xx"].randomElement(using: &random) ?? "en"
    let style = TextStyle(size: 3, language: try #require(Language(language)))
    let width = Float.random(in: 0...80, using: &random)
    let limit = Int.random(in: 1...4, using: &random)
    let block = setter.block(text, style, width: width, lines: limit)
    #expect(block.lines.count <= limit)
    // One letter is always shown.
    let least: Float = 3 * 4
    for line in block.lines { #expect(line.width <= max(width * 1.02, least), "seed \(seed)") }
  }
}
