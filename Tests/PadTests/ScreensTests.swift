import CLinux
import Configuration
import Control
import Ink
import PNG
import Raster
import Screen
import ScreenFixtures
import SpoolFixtures
import SyntheticHand
import Testing

@testable import Pad

/// Every state in every language on four panels. `make screens` keeps the sheet to be looked at; what
/// can be told without eyes is checked here.
@Suite struct ScreensTests {
  /// What is shown, and how the glass gets there.
  enum Screen: String, CaseIterable {
    case invited, asked, signing, pressed, tooShort, saving, saved, cancelled, timedOut
    case outOfService, message, question, choice, text, picture, slide
  }

  /// A theme, and how it lies on each panel.
  final class Look {
    let configuration: PadConfiguration
    private var resolved: [String: ResolvedTheme] = [:]
    /// Where its pictures are.
    private let folder = TemporaryFolder()

    init(_ text: (_ folder: String) throws -> String) throws {
      configuration = try ThemeFixtures.configuration(text(folder.path))
    }

    func theme(on panel: TestPanel) -> ResolvedTheme {
      if let made = resolved[panel.name] { return made }
      let made = ResolvedTheme(
        configuration.theme, on: panel.screen, undo: true, read: PictureFile.read)
      resolved[panel.name] = made
      return made
    }
  }

  /// Nil: the pad's own.
  var look: Look?

  static let looks = ["dark", "landscape"]

  static func look(_ name: String) throws -> Look {
    try Look(name == "dark" ? ThemeFixtures.dark(in:) : ThemeFixtures.landscape(in:))
  }

  func builder(_ language: String, _ panel: TestPanel, _ log: TestWords.Log) throws -> SceneBuilder
  {
    let theme = look?.theme(on: panel)
    return try TestWords.builder(
      language, panel.glass, log, options: theme?.options ?? LayoutOptions(),
      picture: theme?.picture)
  }

  func request(_ kind: PadRequest.Kind, _ language: String) -> PadRequest {
    var request = PadRequest(kind, number: 1)
    (request.title, request.text) = TestWords.prompts[language] ?? ("", "")
    if kind == .question {
      let (text, choices) = TestWords.questions[language] ?? ("", [])
      (request.text, request.choices) = (text, choices)
    }
    if kind == .signature { request.language = language }
    request.timeLimit = 65_000_000_000
    request.hasButton = true
    return request
  }

  func glass(_ screen: Screen, _ language: String, _ panel: TestPanel, _ log: TestWords.Log) throws
    -> PadModel
  {
    let builder = try builder(language, panel, log)
    var rules = SessionRules()
    rules.invites = screen != .slide
    var glass = PadModel(
      width: panel.width, height: panel.height, scale: panel.scale, model: .standard, theme: theme,
      minimumLength: 5, rules: rules)
    glass.setScenes(builder.resting())
    if screen == .message {
      glass.open(builder.typeset(request(.message, language)), at: 0)
    } else if screen == .question || screen == .choice {
      glass.open(builder.typeset(request(.question, language)), at: 0)
    } else if screen == .slide {
      let slide = try Slide.painted(
        Fixtures.root + "/config/pictures/pad.png", on: panel.screen, ground: 0xFFFFFF,
        read: PictureFile.read)
      glass.setSlide(slide)
    } else if screen == .text || screen == .picture {
      try read(screen, request(.signature, language), builder, panel, &glass)
    } else if screen != .invited {
      glass.open(builder.typeset(request(.signature, language)), at: 0)
    }
    play(screen, &glass)
    _ = glass.compose()
    return glass
  }

  /// The second page of a text, or a picture that is scrolled.
  func read(
    _ screen: Screen, _ request: PadRequest, _ builder: SceneBuilder, _ panel: TestPanel,
    _ glass: inout PadModel
  ) throws {
    var request = request
    request.document = RequestDocument(client: 1, id: "d", name: "n", digest: "", count: 1)
    let words = TestWords.prompts[request.language ?? "en"]?.1 ?? ""
    let text = String(repeating: words + "\n\n", count: 40)
    let document: DocumentContent =
      screen == .text
      ? .text(text) : .pictures([DocumentContent.Picture(digest: "", width: 400, height: 1200)])
    let typeset = builder.typeset(request, document)
    glass.open(typeset, at: 0)
    if screen == .text {
      _ = glass.press(.forward, for: 0, at: 0)
      _ = glass.takeWantedPages()
      let sheet = try #require(builder.sheet(of: 1, in: typeset.scene))
      glass.take(sheet, page: 1, of: typeset.scene, at: 0)
    } else {
      _ = glass.takeWantedPages()
      let reading = try #require(typeset.scene.reading)
      let area = reading.pixels(panel.scale, width: panel.width, height: panel.height)
      let page = try PagePicture(Self.page(), width: area.width, limit: 16 << 20)
      glass.take(.picture(page), page: 0, of: typeset.scene, at: 0)
      let middle = reading.area.centre
      _ = glass.down(Sample(time: 1, position: middle + Point(0, 15)))
      for step in 1...4 {
        _ = glass.move(Sample(time: 1, position: middle + Point(0, 15 - 6 * Float(step))))
      }
      _ = glass.up(at: 1)
    }
  }

  /// A page three times as high as wide, with lines that become closer.
  private static func page() throws -> [UInt8] {
    var pixels: [UInt8] = []
    for y in 0..<1200 {
      let isLine = y * y / 900 % 40 < 20
      for x in 0..<400 {
        pixels.append(isLine && (30..<370).contains(x) ? UInt8(60 + y / 10) : 250)
      }
    }
    return try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: 400, height: 1200, pixels: .grey))
  }

  var theme: Theme { look.map { Theme($0.configuration) } ?? Theme() }

  func play(_ screen: Screen, _ glass: inout PadModel) {
    let layout = glass.session.requests.scene.layout
    let (from, to) = layout.line
    let height = min(0.16 * layout.signing.size.y, 0.087 * (to.x - from.x))
    let hand = SyntheticHand().paraph(
      at: Point(from.x + 0.12 * (to.x - from.x), from.y - 1), height: height)
    func press(_ button: Button) {
      _ = glass.down(Sample(time: 1, position: layout.area(of: button).centre))
    }
    func sign() {
      for stroke in hand {
        for (index, sample) in stroke.enumerated() {
          _ = index == 0 ? glass.down(sample) : glass.move(sample)
        }
        _ = glass.up(at: 1)
      }
    }
    switch screen {
    case .invited, .asked, .message, .question, .text, .picture, .slide: break
    case .choice: press(.choice(1))
    case .signing: sign()
    case .pressed:
      sign()
      press(.done)
    case .tooShort:
      _ = glass.down(Sample(time: 1, position: Point(20, 20)))
      _ = glass.up(at: 1)
      press(.done)
      _ = glass.up(at: 1)
    case .saving, .saved:
      sign()
      press(.done)
      _ = glass.up(at: 1)
      if screen == .saved { glass.saved(at: 2) }
    case .cancelled: glass.withdraw(1, at: 2)
    case .timedOut: glass.time(65_000_000_000)
    case .outOfService: glass.service(available: false)
    }
  }

  @Test func `every state is shown in every language, and each is another picture`() throws {
    let panels = shownPanels
    let log = TestWords.Log()
    var pictures: Set<[UInt32]> = []
    var sheet = Sheet(
      columns: Screen.allCases.count, panels: panels, rows: TestWords.languages.count)
    for (row, language) in TestWords.languages.enumerated() {
      for (column, screen) in Screen.allCases.enumerated() {
        for (block, panel) in panels.enumerated() {
          let glass = try glass(screen, language, panel, log)
          sheet.put(glass.canvas, column: column, row: row, block: block)
          if block == 0 { pictures.insert(glass.canvas.pixels) }
        }
      }
    }
    #expect(log.lines.isEmpty)
    // The slide is the same in every language.
    #expect(pictures.count == (Screen.allCases.count - 1) * TestWords.languages.count + 1)
    try sheet.save(suffix: "")
  }

  /// Large panels take their time without optimisation.
  private var shownPanels: [TestPanel] {
    Self.sheetPath == nil ? Array(TestPanel.all.prefix(1)) : TestPanel.all
  }

  /// Where `make screens` wants the sheet.
  static let sheetPath = getenv("PARAPH_SCREENS").flatMap {
    $0.pointee == 0 ? nil : String(cString: $0)
  }

  @Test(arguments: looks) func `a theme is shown in every state, and each is another picture`(
    _ name: String
  ) throws {
    var themed = self
    let look = try Self.look(name)
    themed.look = look
    let (panels, log) = (shownPanels, TestWords.Log())
    var pictures: Set<[UInt32]> = []
    let languages = ["en", "ar"]
    var sheet = Sheet(columns: Screen.allCases.count, panels: panels, rows: languages.count)
    for (block, panel) in panels.enumerated() {
      #expect(look.theme(on: panel).warnings.isEmpty)
      #expect(look.theme(on: panel).picture != nil)
      for (row, language) in languages.enumerated() {
        for (column, screen) in Screen.allCases.enumerated() {
          let glass = try themed.glass(screen, language, panel, log)
          sheet.put(glass.canvas, column: column, row: row, block: block)
          if block == 0 { pictures.insert(glass.canvas.pixels) }
        }
      }
    }
    #expect(log.lines.isEmpty)
    #expect(pictures.count == (Screen.allCases.count - 1) * languages.count + 1)
    try sheet.save(suffix: "-\(name)")
  }

  @Test(arguments: looks) func `nothing is left of the previous picture, with a theme`(
    _ name: String
  ) throws {
    var themed = self
    themed.look = try Self.look(name)
    try themed.expectNothingLeft("en", TestPanel.all[0])
  }

  @Test(arguments: ["en", "ar"]) func `nothing is left of the previous picture`(_ language: String)
    throws
  {
    try expectNothingLeft(language, TestPanel.all[1])
  }

  private func expectNothingLeft(_ language: String, _ panel: TestPanel) throws {
    let log = TestWords.Log()
    let builder = try builder(language, panel, log)
    for screen in [Screen.tooShort, .saving, .saved] {
      let glass = try glass(screen, language, panel, log)
      var anew = PadModel(
        width: panel.width, height: panel.height, scale: panel.scale, model: .standard,
        theme: theme, minimumLength: 5)
      _ = anew.restore(glass.snapshot, at: 0)
      anew.setScenes(builder.resting(), builder.typeset(request(.signature, language)))
      _ = anew.compose()
      let (there, expected) = (glass.canvas.pixels, anew.canvas.pixels)
      #expect(there == expected, "\(screen)")
    }
  }
}

/// Pictures side by side, large ones reduced: a column for each state, for each panel a block of rows.
struct Sheet {
  private var lefts: [[Int]] = [], tops: [[Int]] = []
  let width: Int, height: Int
  private(set) var pixels: [UInt32]
  private static let gap = 12

  init(columns: Int, panels: [TestPanel], rows: Int) {
    var (top, widest) = (Self.gap, 0)
    for panel in panels {
      let (width, height) = (panel.width / panel.reduction, panel.height / panel.reduction)
      lefts.append((0..<columns).map { Self.gap + $0 * (width + Self.gap) })
      tops.append((0..<rows).map { [top] in top + $0 * (height + Self.gap) })
      top += rows * (height + Self.gap) + 2 * Self.gap
      widest = max(widest, columns * (width + Self.gap) + Self.gap)
    }
    (width, height) = (widest, top)
    pixels = [UInt32](repeating: 0xFF80_8890, count: width * height)
  }

  /// Keeps the sheet, if anybody wants it, with a suffix to its name.
  func save(suffix: String) throws {
    guard let path = ScreensTests.sheetPath else { return }
    let png = try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: width, height: height, pixels: .xrgb))
    try ThemeFixtures.write(png, to: path.replacingSuffix(".png", by: suffix + ".png"))
  }

  mutating func put(_ canvas: borrowing Canvas, column: Int, row: Int, block: Int) {
    let step = TestPanel.all[block].reduction
    for y in 0..<(canvas.height / step) {
      let start = (tops[block][row] + y) * width + lefts[block][column]
      for x in 0..<(canvas.width / step) {
        var sum = SIMD4<UInt32>.zero
        for dy in 0..<step {
          for dx in 0..<step {
            let pixel = canvas[x * step + dx, y * step + dy]
            sum &+= SIMD4(pixel & 0xFF, pixel >> 8 & 0xFF, pixel >> 16 & 0xFF, 0)
          }
        }
        let mean = sum / UInt32(step * step)
        pixels[start + x] = 0xFF00_0000 | mean.z << 16 | mean.y << 8 | mean.x
      }
    }
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, by other: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) + other : self + other
  }
}
