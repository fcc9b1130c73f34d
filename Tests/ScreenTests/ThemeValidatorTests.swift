import Configuration
import Raster
import ScreenFixtures
import Testing

@testable import Screen

@Suite struct ThemeValidatorTests {
  @Test(arguments: ["light", "dark"])
  func `all words have a contrast of at least 7:1`(_ set: String) throws {
    let theme = Theme(try ThemeFixtures.configuration("[theme]\ncolours = \(set)"))
    let pairs = theme.colours.pairs(ink: theme.ink)
    #expect(pairs.count == 12)
    for pair in pairs {
      #expect(Contrast.ratio(pair.above, pair.below) >= 7, "\(pair.name) on \(pair.ground)")
    }
  }

  @Test func `too little contrast is reported with key, colours and ratio`() throws {
    let warnings = ThemeValidator(
      try ThemeFixtures.configuration(
        """
        [theme]
        words = #777777
        done = #ffffff #959595
        [ink]
        colour = #00ffff
        """), read: ThemeFixtures.read
    ).problems.map { $0.text }
    #expect(
      warnings == [
        "f:2: warning: [theme] words: #777777 on ground #ffffff has a contrast of 4.4:1; readable text"
          + " needs 7:1",
        "f:5: warning: [ink] colour: #00ffff on ground #ffffff has a contrast of 1.2:1; readable text"
          + " needs 7:1",
        "f:3: warning: [theme] done: #959595 on its face #ffffff has a contrast of 2.9:1; readable"
          + " text needs 7:1",
        "f:5: warning: [ink] colour: #00ffff on the ground of saved #e3f4e8 has a contrast of 1.0:1;"
          + " readable text needs 7:1",
      ])
  }

  @Test func `both pictures and a position are reported at once`() throws {
    let problems = ThemeValidator(
      try ThemeFixtures.configuration(
        """
        [display]
        size = 71x53
        [theme]
        logo = /nowhere/a.png
        picture = /nowhere/b.png
        button-height = 40
        """), read: ThemeFixtures.read
    ).problems
    #expect(problems.map { $0.key } == ["picture", "logo", "button-height"])
  }

  @Test func `a position is refused if it fits neither orientation of the panel`() throws {
    func keys(_ height: Int, _ size: String) throws -> [String] {
      ThemeValidator(
        try ThemeFixtures.configuration("[display]\n\(size)\n[theme]\nbutton-height = \(height)"),
        read: ThemeFixtures.read
      ).problems.map { $0.key }
    }
    // Upright, less than half of the glass is for buttons.
    #expect(try keys(45, "size = 154x86").isEmpty)
    #expect(try keys(45, "size = 154x86\nrotation = 0") == ["button-height"])
    #expect(try keys(45, "size = 154x86\nrotation = 90").isEmpty)
    #expect(try keys(45, "size = 80x70") == ["button-height"])
    #expect(try keys(45, "card = auto").isEmpty)
  }

  @Test func `a position that only a document does not fit causes a warning`() throws {
    func problems(_ display: String) throws -> [String] {
      ThemeValidator(
        try ThemeFixtures.configuration("[display]\n\(display)\n[theme]\nbuttons = left"),
        read: ThemeFixtures.read
      ).problems.map { $0.text }
    }
    // Upright, the column has room for the buttons.
    #expect(try problems("size = 70x46").isEmpty)
    #expect(
      try problems("size = 70x46\nrotation = 0") == [
        "f:5: warning: [theme] buttons: on a glass of 70 × 46 mm with a document the smaller side of a"
          + " button is 8.5 mm; the minimum is 9 mm: choose another side"
      ])
  }
}

@Suite struct ContrastTests {
  @Test func `contrast is computed as in WCAG`() {
    // The extremes, and the grey that is the darkest to pass 4.5:1 on white in WCAG's own tutorials.
    #expect(abs(Contrast.ratio(0, 0xFF_FFFF) - 21) < 0.01)
    #expect(abs(Contrast.ratio(0x77_7777, 0xFF_FFFF) - 4.48) < 0.01)
    #expect(abs(Contrast.ratio(0xFF_FFFF, 0x76_7676) - 4.54) < 0.01)
    #expect(abs(Contrast.ratio(0xFF_0000, 0xFF_FFFF) - 4.0) < 0.01)
    #expect(Contrast.ratio(0x12_3456, 0x12_3456) == 1)
  }
}
