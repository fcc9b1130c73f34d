import Configuration
import Ink
import Screen
import ScreenFixtures
import Testing

@Suite struct ThemeTests {
  @Test func `ink that would be invisible on white paper is black in files`() throws {
    func ink(_ colour: String) throws -> UInt32 {
      Theme(try ThemeFixtures.configuration("[ink]\ncolour = \(colour)")).inkOnPaper
    }
    #expect(try ink("#1a3a8f") == 0x1a3a8f)
    #expect(try ink("#f5f8fa") == 0)
    #expect(Theme(try ThemeFixtures.configuration("[theme]\ncolours = dark")).inkOnPaper == 0)
  }

  @Test func `the width of ink is the configured one`() throws {
    let wide = Theme(try ThemeFixtures.configuration("[ink]\nwidth = 0.3 1.5"))
    #expect(wide.law.narrowest == 0.3 && wide.law.widest == 1.5)
    #expect(Theme(try ThemeFixtures.configuration("")).law == .standard)
  }
}
