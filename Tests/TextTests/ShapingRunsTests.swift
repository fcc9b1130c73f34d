import Testing

@testable import Text

@Suite struct ShapingRunsTests {
  private func most(_ text: String, _ language: String = "en") throws -> Int {
    ShapingRuns.most(
      in: PlainText(text).scalars[...], try #require(Language(language)), try Fonts.stack())
  }

  @Test func `a paragraph of one script from left to right is one run, whatever its signs`() throws
  {
    #expect(try most("Vertrag vom 12.05.2026 (Nr. 7): «50 %» – [x] <y> µ") == 1)
    #expect(try most("") == 0)
  }

  @Test func `each change of script or font is a run`() throws {
    #expect(try most("漢あ漢 あ") == 4)
    #expect(try most("a署a") == 3)
    // Both are in DejaVu Sans.
    #expect(try most("aαaα") == 4)
  }

  @Test func `a closing bracket has the script of the opening one`() throws {
    #expect(try most("漢(あ)あ") == 4)
  }

  @Test(arguments: ["1", "µ", "(", "<", "⌶", "।", "²", "\u{200E}", "\u{600}", "٣"])
  func `a sign beside hebrew may be a run, and letters behind it another one`(_ sign: String) throws
  {
    #expect(try most(String(repeating: "א" + sign, count: 20)) >= 40)
  }

  @Test func `spaces and common punctuation beside hebrew are in its run`() throws {
    #expect(try most("אב, גד. הו - \"זח\"; טי!") == 2)
  }

  @Test func `digits alone change their direction in a language from right to left`() throws {
    #expect(try most("12 34 56", "ar") >= 5)
    #expect(try most("12 34 56") == 1)
  }
}
