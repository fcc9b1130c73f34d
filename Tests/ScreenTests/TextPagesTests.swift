import Ink
import Raster
import ScreenFixtures
import SyntheticHand
import Testing

@testable import Screen
@testable import Text

@Suite struct TextPagesTests {
  static func typesetter() throws -> Typesetter {
    Typesetter(
      fonts: try FontStack(
        fonts: [
          "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
          "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
        ], wellKnown: false
      ) { _ in })
  }

  func pages(
    _ text: String, size: Float = 4, language: String = "en", area: Point = Point(80, 60)
  ) throws -> TextPages {
    let style = TextStyle(size: size, language: Language(language) ?? .english)
    return TextPages(try Self.typesetter().flow(text, style, width: area.x), size: area)
  }

  /// The rules for any text.
  func expectWhole(_ pages: TextPages, area: Point, _ name: String) throws {
    let flow = pages.flow
    // Each line is on exactly one page, and each code point in exactly one line.
    #expect(pages.pages.flatMap { Array($0) } == Array(flow.lines.indices), "\(name)")
    var next = 0
    for line in flow.lines {
      #expect(line.range.lowerBound == next, "\(name)")
      next = line.range.upperBound
    }
    #expect(next == flow.count, "\(name)")
    let typesetter = try Self.typesetter()
    for page in pages.pages.indices {
      #expect(!pages.pages[page].isEmpty, "\(name)")
      for (row, line) in pages.lines(of: page, at: .zero, typesetter).enumerated() {
        // No line is cut, and a letter that is wider than the area is alone.
        let index = pages.pages[page].lowerBound + row
        let letters = flow.text(of: index..<index + 1).unicodeScalars.filter {
          !CodePoint.isSpace($0.value) && $0 != "\n"
        }.count
        #expect(
          line.line.width <= area.x + 0.01 || letters <= 2,
          "\(name): \(letters) letters, \(line.line.width - area.x) mm")
        #expect(line.origin.y - line.line.capHeight >= 0, "\(name)")
        #expect(line.origin.y + 0.3 * flow.style.size <= area.y || pages.pages[page].count == 1)
      }
    }
  }

  @Test(arguments: 1...40)
  func `each letter of any text is on exactly one page, and no line is cut`(
    _ seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let words = [
      "parcel", "of", "Empfangsbestätigung", "الطرد", "お荷物をお受け取り", "\n", "\n\n", "a\t", "—",
      "encomenda",
      String(repeating: "x", count: 90), " ",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...400, using: &random) {
      text += words.randomElement(using: &random) ?? ""
      text += Bool.random(using: &random) ? " " : ""
    }
    let area = Point(
      Float.random(in: 12...200, using: &random), Float.random(in: 4...200, using: &random))
    let language = ["en", "ar", "ja"].randomElement(using: &random) ?? "en"
    let size = Float.random(in: 2.3...7, using: &random)
    try expectWhole(
      pages(text, size: size, language: language, area: area), area: area, "seed \(seed)")
  }

  @Test func `a text as long as allowed has pages, and a longer one says that it is cut`() throws {
    let text = String(
      String(repeating: "The goods remain our property. ", count: 700).prefix(20_000))
    let whole = try pages(text)
    #expect(whole.flow.count == 20_000 && !whole.flow.isCut && whole.pages.count > 20)
    try expectWhole(whole, area: Point(80, 60), "long")
    #expect(try pages(text + "x").flow.isCut)
  }

  @Test func `lines end where the text says, and an empty text is one empty page`() throws {
    let three = try pages("one\n\nthree\n")
    #expect(three.flow.lines.map { $0.range } == [0..<4, 4..<5, 5..<11] && three.pages == [0..<3])
    let empty = try pages("")
    #expect(empty.pages == [0..<1] && empty.flow.lines.map { $0.range } == [0..<0])
  }

  @Test func `a page is full before the next one begins`() throws {
    // Ten lines of 1.38 × 4 mm.
    let area = Point(80, 1.38 * 4 * 10 + 0.1)
    let pages = try pages(String(repeating: "a\n", count: 25), area: area)
    #expect(pages.pages == [0..<10, 10..<20, 20..<25])
  }

  @Test func `text from right to left begins at the right edge`() throws {
    let pages = try pages("الطرد", language: "ar")
    let line = try #require(pages.lines(of: 0, at: Point(5, 5), Self.typesetter()).first)
    #expect(abs(line.origin.x + line.line.width - 85) < 0.01)
  }
}
