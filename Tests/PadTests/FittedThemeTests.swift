import CLinux
import Configuration
import PNG
import Raster
import SpoolFixtures
import Testing

@testable import Pad

@Suite struct FittedThemeTests {
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

  func ground(_ fit: String, _ panel: PanelFacts) throws -> GroundPicture {
    let theme = try ThemeFixtures.configuration(
      "[theme]\npicture = \(flag())\npicture-fit = \(fit)"
    ).theme
    return try #require(FittedTheme(theme, panel, undo: false).picture)
  }

  @Test func `cover fills the glass and keeps proportions, whatever shape its pixels have`() throws
  {
    let picture = try ground("cover", ThemeFixtures.panel(400, 120, Scale(x: 4, y: 2)))
    // 100 × 60 mm show 20 × 12 of the picture's pixels: six rows of each colour.
    #expect(picture[0, 0] == 0xFFFF_0000 && picture[399, 54] == 0xFFFF_0000)
    #expect(picture[0, 65] == 0xFF00_00FF && picture[399, 119] == 0xFF00_00FF)
  }

  @Test func `fit shows all of it, with the ground around`() throws {
    let picture = try ground("fit", ThemeFixtures.panel(400, 300, Scale(x: 4, y: 4)))
    #expect(picture[126, 10] == 0xFFFF_0000 && picture[273, 290] == 0xFF00_00FF)
    // In a tile of its own, and in one that the picture reaches.
    #expect(picture[5, 150] == nil && picture[122, 150] == 0xFFFF_FFFF)
  }

  @Test func `centre shows pixel for pixel, and cuts what juts out`() throws {
    let picture = try ground("centre", ThemeFixtures.panel(200, 100, Scale(x: 4, y: 4)))
    #expect(picture[90, 30] == 0xFFFF_0000 && picture[109, 69] == 0xFF00_00FF)
    #expect(picture[89, 40] == 0xFFFF_FFFF && picture[100, 29] ?? 0xFFFF_FFFF == 0xFFFF_FFFF)
    let cut = try ground("centre", ThemeFixtures.panel(320, 30, Scale(x: 2, y: 2)))
    #expect(cut[150, 0] == 0xFFFF_0000 && cut[150, 29] == 0xFF00_00FF)
  }

  @Test func `words on a picture that hides them are warned of`() throws {
    let theme = try ThemeFixtures.configuration(
      "[theme]\npicture = \(flag())\nwords = #00001f\nground = #ffffff"
    ).theme
    let complaints = FittedTheme(
      theme, ThemeFixtures.panel(400, 300, Scale(x: 4, y: 4)), undo: false
    ).complaints
    #expect(complaints.count == 1)
    #expect(
      complaints.first?.hasPrefix(
        "config: [theme] picture: under the words it has a contrast to them of ") == true)
  }

  @Test func `on a glass that is too small the pad takes its own places, and keeps the picture`()
    throws
  {
    let theme = try ThemeFixtures.configuration(
      "[theme]\nbutton-height = 40\npicture = \(flag())\nwords = #ffffff"
    ).theme
    let ground = FittedTheme(
      theme, ThemeFixtures.panel(320, 240, Scale(x: 4.54, y: 4.54)), undo: false)
    #expect(ground.places == LayoutPlaces())
    #expect(ground.picture != nil)
    #expect(
      ground.complaints.first
        == "config: [theme] button-height: on a glass of 70 × 53 mm less than half is left to sign on:"
        + " make it smaller, or auto; until then the pad takes its own places")
  }

  @Test func `a picture that vanished after the start is left out with a line`() throws {
    let path = try flag()
    let theme = try ThemeFixtures.configuration("[theme]\nlogo = \(path)\npicture = \(path)").theme
    #expect(unlink(path) == 0)
    let ground = FittedTheme(theme, ThemeFixtures.panel(320, 240, Scale(x: 4, y: 4)), undo: false)
    #expect(ground.picture == nil && ground.complaints.count == 2)
  }
}
