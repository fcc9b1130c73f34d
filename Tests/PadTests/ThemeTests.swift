import Configuration
import Ink
import Raster
import Signature
import Testing

@testable import Pad

@Suite struct ThemeTests {
  @Test func `contrast is what WCAG says`() {
    // The extremes, and the grey that is the darkest to pass 4.5:1 on white in WCAG's own tutorials.
    #expect(abs(Contrast.ratio(0, 0xFF_FFFF) - 21) < 0.01)
    #expect(abs(Contrast.ratio(0x77_7777, 0xFF_FFFF) - 4.48) < 0.01)
    #expect(abs(Contrast.ratio(0xFF_FFFF, 0x76_7676) - 4.54) < 0.01)
    #expect(abs(Contrast.ratio(0xFF_0000, 0xFF_FFFF) - 4.0) < 0.01)
    #expect(Contrast.ratio(0x12_3456, 0x12_3456) == 1)
  }

  @Test(arguments: ["light", "dark"])
  func `whatever is to be read has a contrast of seven to one`(_ set: String) throws {
    let theme = Theme(try ThemeFixtures.configuration("[theme]\ncolours = \(set)"))
    let pairs = theme.colours.pairs(ink: theme.ink)
    #expect(pairs.count == 12)
    for pair in pairs {
      #expect(Contrast.ratio(pair.above, pair.below) >= 7, "\(pair.name) on \(pair.ground)")
    }
  }

  @Test func `what is hard to read is told with its key, colours and contrast`() throws {
    let warnings = ThemeExamination(
      try ThemeFixtures.configuration(
        """
        [theme]
        words = #777777
        done = #ffffff #959595
        [ink]
        colour = #00ffff
        """)
    ).problems.lines
    #expect(
      warnings == [
        "f:2: warning: [theme] words: #777777 on ground #ffffff has a contrast of 4.4:1; words need 7:1 to"
          + " be read",
        "f:5: warning: [ink] colour: #00ffff on ground #ffffff has a contrast of 1.2:1; words need 7:1 to"
          + " be read",
        "f:3: warning: [theme] done: #959595 on its face #ffffff has a contrast of 2.9:1; words need 7:1 to"
          + " be read",
        "f:5: warning: [ink] colour: #00ffff on the ground of saved #e3f4e8 has a contrast of 1.0:1; words"
          + " need 7:1 to be read",
      ])
  }

  @Test func `ink that could not be seen on white paper is black in a file`() throws {
    func ink(_ colour: String) throws -> UInt32 {
      Theme(try ThemeFixtures.configuration("[ink]\ncolour = \(colour)")).inkOnPaper
    }
    #expect(try ink("#1a3a8f") == 0x1a3a8f)
    #expect(try ink("#f5f8fa") == 0)
    #expect(Theme(try ThemeFixtures.configuration("[theme]\ncolours = dark")).inkOnPaper == 0)
  }

  @Test func `the width of ink is for the model that follows the hand's speed`() throws {
    let wide = try ThemeFixtures.configuration("[ink]\nwidth = 0.3 1.5")
    #expect(Theme(wide).law.narrowest == 0.3 && Theme(wide).law.widest == 1.5)
    #expect(ThemeExamination(wide).problems.isEmpty)
    #expect(Theme(try ThemeFixtures.configuration("")).law == .standard)
    let other = try ThemeFixtures.configuration("[ink]\nwidth = 0.3 1.5\nmodel = polyline")
    #expect(
      ThemeExamination(other).problems.lines == [
        "f:2: [ink] width: the model polyline has its own widths: take model = default"
      ])
  }

  @Test func `ink runs ahead of the hand by as much as is configured`() throws {
    let theme = Theme(try ThemeFixtures.configuration("[ink]\nprediction = 16ms"))
    let plain = Theme(try ThemeFixtures.configuration(""))
    func drawn(_ theme: Theme) -> (tail: PixelRect, strokes: [Stroke]) {
      var glass = Glass(
        width: 770, height: 430, scale: GlassTests.scale, model: .standard, theme: theme,
        minimumLength: 5)
      _ = glass.down(Sample(time: 0, position: Point(40, 30)))
      for step in 1..<8 {
        _ = glass.move(
          Sample(time: Int64(step) * 8_000_000, position: Point(40 + Float(step), 30)))
      }
      let tail = glass.drawing.planes.tailBounds
      _ = glass.up(at: 64_000_000)
      return (tail, glass.drawing.store.strokes())
    }
    // At 125 mm/s: 2 mm, each 5 pixels.
    let (ahead, behind) = (drawn(theme), drawn(plain))
    #expect((8...12).contains(ahead.tail.x1 - behind.tail.x1))
    #expect(ahead.strokes == behind.strokes)
  }
}
