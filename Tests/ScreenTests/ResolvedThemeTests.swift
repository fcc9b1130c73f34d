import CLinux
import Configuration
import PNG
import Raster
import ScreenFixtures
import SpoolFixtures
import Testing

@testable import Screen

@Suite struct ResolvedThemeTests {
  let folder = TemporaryFolder()

  /// Red above, blue below, 20 × 40.
  func flag() throws -> String {
    let pixels = (0..<20 * 40).flatMap { index -> [UInt8] in
      index < 20 * 20 ? [255, 0, 0] : [0, 0, 255]
    }
    let path = folder.path + "/flag.png"
    try ThemeFixtures.write(
      PNGFile.encode(pixels.span.bytes, as: PNGHeader(width: 20, height: 40, pixels: .rgb)),
      to: path)
    return path
  }

  func resolved(_ theme: ThemeConfiguration, _ screen: ScreenGeometry) -> ResolvedTheme {
    ResolvedTheme(theme, on: screen, undo: false, read: ThemeFixtures.read)
  }

  func screen(_ width: Int, _ height: Int, _ scale: Scale) -> ScreenGeometry {
    ScreenGeometry(width: width, height: height, scale: scale)
  }

  func ground(_ fit: String, _ screen: ScreenGeometry) throws -> GroundPicture {
    let theme = try ThemeFixtures.configuration(
      "[theme]\npicture = \(flag())\npicture-fit = \(fit)"
    ).theme
    return try #require(resolved(theme, screen).picture)
  }

  @Test func `cover fills the glass and keeps proportions, whatever shape its pixels have`() throws
  {
    let picture = try ground("cover", screen(400, 120, Scale(x: 4, y: 2)))
    // 100 × 60 mm show 20 × 12 of the picture's pixels: six rows of each colour.
    #expect(picture[0, 0] == 0xFFFF_0000 && picture[399, 54] == 0xFFFF_0000)
    #expect(picture[0, 65] == 0xFF00_00FF && picture[399, 119] == 0xFF00_00FF)
  }

  @Test func `fit shows all of it, with the ground around`() throws {
    let picture = try ground("fit", screen(400, 300, Scale(x: 4, y: 4)))
    #expect(picture[126, 10] == 0xFFFF_0000 && picture[273, 290] == 0xFF00_00FF)
    // In a tile of its own, and in one that the picture reaches.
    #expect(picture[5, 150] == nil && picture[122, 150] == 0xFFFF_FFFF)
  }

  @Test func `centre shows pixel for pixel, and cuts what juts out`() throws {
    let picture = try ground("centre", screen(200, 100, Scale(x: 4, y: 4)))
    #expect(picture[90, 30] == 0xFFFF_0000 && picture[109, 69] == 0xFF00_00FF)
    #expect(picture[89, 40] == 0xFFFF_FFFF && picture[100, 29] ?? 0xFFFF_FFFF == 0xFFFF_FFFF)
    let cut = try ground("centre", screen(320, 30, Scale(x: 2, y: 2)))
    #expect(cut[150, 0] == 0xFFFF_0000 && cut[150, 29] == 0xFF00_00FF)
  }

  @Test func `words that a picture hides cause a warning`() throws {
    let theme = try ThemeFixtures.configuration(
      "[theme]\npicture = \(flag())\nwords = #00001f\nground = #ffffff"
    ).theme
    let warnings = resolved(theme, screen(400, 300, Scale(x: 4, y: 4))).warnings
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasPrefix(
        "config: [theme] picture: the contrast of the words on it is ") == true)
  }

  @Test func `a key that does not fit the glass is ignored, and the others are used`() throws {
    let theme = try ThemeFixtures.configuration(
      "[theme]\nbutton-height = 40\nmargin = 2\npicture = \(flag())\nwords = #ffffff"
    ).theme
    let ground = resolved(theme, screen(320, 240, Scale(x: 4.54, y: 4.54)))
    #expect(ground.options.buttonHeight == nil && ground.options.margin == 2)
    #expect(ground.picture != nil)
    #expect(
      ground.warnings.first
        == "config: [theme] button-height: on a glass of 70 × 53 mm less than half is left to sign on:"
        + " make it smaller, or auto; the key is ignored")
  }

  @Test func `on a glass that is too small for several keys the default positions are used`() throws
  {
    let theme = try ThemeFixtures.configuration(
      "[theme]\nbutton-height = 40\nmargin = 30\n"
    ).theme
    let ground = resolved(theme, screen(320, 240, Scale(x: 4.54, y: 4.54)))
    #expect(ground.options == LayoutOptions())
    #expect(ground.warnings.first?.hasPrefix("config: [theme] positions: together, on ") == true)
    #expect(ground.warnings.first?.hasSuffix("; the default positions are used") == true)
  }

  @Test func `a key that only a document does not fit is used, and logged`() throws {
    let theme = try ThemeFixtures.configuration("[theme]\nbuttons = left").theme
    let ground = resolved(theme, screen(280, 184, Scale(x: 4, y: 4)))
    #expect(ground.options.buttons == .left)
    #expect(
      ground.warnings == [
        "config: [theme] buttons: on a glass of 70 × 46 mm with a document the smaller side of a"
          + " button is 8.5 mm; the minimum is 9 mm: choose another side"
      ])
  }

  @Test func `what a document lacks is logged of the layout that is used instead`() throws {
    let theme = try ThemeFixtures.configuration("[theme]\nbuttons = left\nline-height = 60").theme
    let ground = resolved(theme, screen(280, 184, Scale(x: 4, y: 4)))
    #expect(ground.options.buttons == .left && ground.options.lineHeight == nil)
    #expect(ground.warnings.count == 2)
    #expect(ground.warnings.first?.hasSuffix("; the key is ignored") == true)
    #expect(ground.warnings.last?.hasPrefix("config: [theme] buttons: ") == true)
  }

  @Test func `a picture that vanished after the start is left out and logged`() throws {
    let path = try flag()
    let theme = try ThemeFixtures.configuration("[theme]\nlogo = \(path)\npicture = \(path)").theme
    #expect(unlink(path) == 0)
    let ground = resolved(theme, screen(320, 240, Scale(x: 4, y: 4)))
    #expect(ground.picture == nil && ground.warnings.count == 2)
  }
}
