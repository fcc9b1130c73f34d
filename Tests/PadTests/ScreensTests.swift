import CLinux
import Configuration
import Control
import Ink
import Linux
import PNG
import Raster
import SpoolFixtures
import SyntheticHand
import Testing
import Text

@testable import Pad

/// Every state in every language on four panels. `make screens` keeps the sheet to be looked at; what
/// can be told without eyes is checked here.
@Suite struct ScreensTests {
  /// Panels of 3.5", 5", 7" upright, and 10".
  struct Size: Sendable, CustomTestStringConvertible {
    let name: String
    let width: Int, height: Int
    let scale: Scale
    /// By how much it is smaller on the sheet.
    let reduction: Int
    var glass: Point { Point(Float(width) / scale.x, Float(height) / scale.y) }
    var testDescription: String { name }
  }

  static let sizes = [
    Size(name: "3.5 in", width: 320, height: 240, scale: Scale(x: 4.54, y: 4.54), reduction: 1),
    Size(name: "5 in", width: 800, height: 480, scale: Scale(x: 7.4, y: 7.4), reduction: 2),
    Size(name: "7 in", width: 480, height: 800, scale: Scale(x: 5.58, y: 5.2), reduction: 2),
    Size(name: "10 in", width: 1280, height: 800, scale: Scale(x: 5.9, y: 5.9), reduction: 3),
  ]

  static let languages = ["en", "de", "pt", "ar", "ja"]
  static let prompts = [
    "en": (
      "Parcel 4711", "For Ms Adelheid Brinkmann. Please sign to confirm that the parcel is whole."
    ),
    "de": (
      "Paket 4711",
      "Für Frau Adelheid Brinkmann-Größenwahn. Bitte bestätigen Sie den unversehrten Erhalt."
    ),
    "pt": (
      "Encomenda 4711",
      "Para o senhor João Conceição. Confirme, por favor, que recebeu a encomenda intacta."
    ),
    "ar": ("الطرد 4711", "إلى السيدة فاطمة الزهراء. يرجى التوقيع لتأكيد استلام الطرد سليمًا."),
    "ja": ("お荷物 4711", "山田花子様宛。お荷物を無事にお受け取りになりましたら、ご署名をお願いいたします。"),
  ]

  /// What is shown, and how the glass gets there.
  enum Screen: String, CaseIterable {
    case invited, asked, signing, pressed, tooShort, saving, saved, cancelled, timedOut
    case outOfService, message
  }

  final class Log { var lines: [String] = [] }

  /// A theme, and how it lies on each panel.
  final class Look {
    let configuration: PadConfiguration
    private var fitted: [String: FittedTheme] = [:]
    /// Where its pictures are.
    private let folder = TemporaryFolder()

    init(_ text: (_ folder: String) throws -> String) throws {
      configuration = try ThemeFixtures.configuration(text(folder.path))
    }

    func theme(on size: Size) -> FittedTheme {
      if let made = fitted[size.name] { return made }
      let panel = ThemeFixtures.panel(size.width, size.height, size.scale)
      let made = FittedTheme(configuration.theme, panel, undo: true)
      fitted[size.name] = made
      return made
    }
  }

  /// Nil: the pad's own.
  var look: Look?

  static let looks = ["dark", "landscape"]

  static func look(_ name: String) throws -> Look {
    try Look(name == "dark" ? ThemeFixtures.dark(in:) : ThemeFixtures.landscape(in:))
  }

  func maker(_ language: String, _ size: Size, _ log: Log) throws -> SceneMaker {
    let fonts = try FontStack(
      fonts: [
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
      ], wellKnown: false
    ) { log.lines.append($0) }
    return SceneMaker(
      typesetter: Typesetter(fonts: fonts),
      catalogues: CatalogueFolder(Self.catalogues) { log.lines.append($0) },
      language: try #require(Language(language)), glass: size.glass, undo: true,
      places: look?.theme(on: size).places ?? LayoutPlaces(),
      picture: look?.theme(on: size).picture)
  }

  /// Compiled once.
  static let catalogues: String = {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = "\(root)/.build/locale"
    for language in languages {
      let place = "\(folder)/\(language)/LC_MESSAGES"
      system(
        "mkdir -p '\(place)' && msgfmt -o '\(place)/paraph.mo.\(getpid())' "
          + "'\(root)/config/locale/\(language).po' "
          + "&& mv '\(place)/paraph.mo.\(getpid())' '\(place)/paraph.mo'")
    }
    return folder
  }()

  func request(_ language: String) -> SignRequest {
    var request = SignRequest(number: 1)
    (request.title, request.prompt) = Self.prompts[language] ?? ("", "")
    request.language = language
    request.cancellable = true
    return request
  }

  func glass(_ screen: Screen, _ language: String, _ size: Size, _ log: Log) throws -> Glass {
    let maker = try maker(language, size, log)
    var glass = Glass(
      width: size.width, height: size.height, scale: size.scale, model: .standard, theme: theme,
      minimumLength: 5)
    glass.setWords(maker.resting())
    let limit: Int64 = 65_000_000_000
    if screen == .message {
      var message = MessageRequest(
        number: 1, text: Self.prompts[language]?.1 ?? "", timeLimit: limit)
      message.title = Self.prompts[language]?.0
      message.button = true
      glass.show(
        PadRequest(number: 1, timeLimit: limit, scene: maker.scene(message)), at: 0)
    } else if screen != .invited {
      glass.ask(
        PadRequest(
          number: 1, timeLimit: limit, scene: maker.scene(request(language), timeLimit: limit)),
        at: 0)
    }
    play(screen, &glass, size)
    _ = glass.compose()
    return glass
  }

  var theme: Theme { look.map { Theme($0.configuration) } ?? Theme() }

  func play(_ screen: Screen, _ glass: inout Glass, _ size: Size) {
    let layout = glass.shownLayout
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
    case .invited, .asked, .message: break
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
    let sizes = shownSizes
    let log = Log()
    var pictures: Set<[UInt32]> = []
    var sheet = Sheet(columns: Screen.allCases.count, sizes: sizes, rows: Self.languages.count)
    for (row, language) in Self.languages.enumerated() {
      for (column, screen) in Screen.allCases.enumerated() {
        for (block, size) in sizes.enumerated() {
          let glass = try glass(screen, language, size, log)
          sheet.put(glass.canvas, column: column, row: row, block: block)
          if block == 0 { pictures.insert(pixels(glass.canvas)) }
        }
      }
    }
    #expect(log.lines.isEmpty)
    #expect(pictures.count == Screen.allCases.count * Self.languages.count)
    try sheet.save(suffix: "")
  }

  /// Large panels take their time without optimisation.
  private var shownSizes: [Size] {
    Self.sheetPath == nil ? Array(Self.sizes.prefix(1)) : Self.sizes
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
    let (sizes, log) = (shownSizes, Log())
    var pictures: Set<[UInt32]> = []
    let languages = ["en", "ar"]
    var sheet = Sheet(columns: Screen.allCases.count, sizes: sizes, rows: languages.count)
    for (block, size) in sizes.enumerated() {
      #expect(look.theme(on: size).complaints.isEmpty)
      #expect(look.theme(on: size).picture != nil)
      for (row, language) in languages.enumerated() {
        for (column, screen) in Screen.allCases.enumerated() {
          let glass = try themed.glass(screen, language, size, log)
          sheet.put(glass.canvas, column: column, row: row, block: block)
          if block == 0 { pictures.insert(pixels(glass.canvas)) }
        }
      }
    }
    #expect(log.lines.isEmpty)
    #expect(pictures.count == Screen.allCases.count * languages.count)
    try sheet.save(suffix: "-\(name)")
  }

  @Test(arguments: looks) func `nothing is left of the picture before, with a theme`(
    _ name: String
  ) throws {
    var themed = self
    themed.look = try Self.look(name)
    try themed.expectNothingLeft("en", Self.sizes[0])
  }

  @Test(arguments: ["en", "ar"]) func `nothing is left of the picture before`(_ language: String)
    throws
  {
    try expectNothingLeft(language, Self.sizes[1])
  }

  private func expectNothingLeft(_ language: String, _ size: Size) throws {
    let log = Log()
    let maker = try maker(language, size, log)
    for screen in [Screen.tooShort, .saving, .saved] {
      let glass = try glass(screen, language, size, log)
      var anew = Glass(
        width: size.width, height: size.height, scale: size.scale, model: .standard,
        theme: theme, minimumLength: 5)
      _ = anew.restore(glass.snapshot, at: 0)
      let limit: Int64 = 65_000_000_000
      let scene = maker.scene(request(language), timeLimit: limit)
      anew.setWords(maker.resting(), [PadRequest(number: 1, timeLimit: limit, scene: scene)])
      _ = anew.compose()
      let (there, expected) = (pixels(glass.canvas), pixels(anew.canvas))
      #expect(there == expected, "\(screen)")
    }
  }

  private func pixels(_ canvas: borrowing Canvas) -> [UInt32] {
    (0..<canvas.height).flatMap { y in (0..<canvas.width).map { canvas[$0, y] } }
  }

  @Test(arguments: languages, sizes)
  func `no word leaves its place or meets another`(_ language: String, _ size: Size) throws {
    var maker = try maker(language, size, Log())
    let logos: [ThemeConfiguration.LogoPlace?] = [nil, .topLeft, .bottomRight, .top]
    for (side, logo) in zip(ThemeConfiguration.Side.allCases, logos) {
      maker.places.buttons = side
      maker.places.logo = logo.map { LayoutPlaces.Logo($0, size: Point(18, 6.5)) }
      try expectWordsInPlace(maker, language, size)
    }
  }

  private func expectWordsInPlace(
    _ maker: SceneMaker, _ language: String, _ size: Size
  ) throws {
    let glass = Area(x: 0, y: 0, width: size.glass.x, height: size.glass.y)
    for scene in [maker.resting(), maker.scene(request(language), timeLimit: 1)] {
      let texts = scene.texts
      for words in [texts.header, texts.tooShort, texts.saving, texts.saved] {
        #expect(!words.isEmpty)
        for text in words {
          #expect(
            isInside(text, scene.layout.header),
            "\(maker.places) \(scene.layout.header) \(text.area)")
          #expect(text.origin.y < scene.layout.cross.y - 1)
        }
      }
      for words in [texts.cancelled, texts.timedOut, texts.outOfService] {
        #expect(!words.isEmpty)
        for text in words {
          #expect(isInside(text, glass))
          #expect(text.area.origin.y >= scene.layout.disc(withWords: true).end.y)
        }
      }
      for label in scene.labels {
        guard let word = label.word else { continue }
        let area = scene.layout.area(of: label.button)
        #expect(word.origin.x >= area.origin.x + 0.5)
        #expect(word.origin.x + word.line.width <= area.end.x - 0.5)
      }
    }
  }

  private func isInside(_ text: PlacedText, _ area: Area) -> Bool {
    text.origin.x >= area.origin.x - 0.01
      && text.origin.x + text.line.width <= area.end.x + 0.01
      && text.origin.y - text.line.capHeight >= area.origin.y - 0.01
      && text.origin.y <= area.end.y + 0.01
  }
}

/// Pictures side by side, large ones reduced: a column for each state, for each panel a block of rows.
struct Sheet {
  private var lefts: [[Int]] = [], tops: [[Int]] = []
  let width: Int, height: Int
  private(set) var pixels: [UInt32]
  private static let gap = 12

  init(columns: Int, sizes: [ScreensTests.Size], rows: Int) {
    var (top, widest) = (Self.gap, 0)
    for size in sizes {
      let (width, height) = (size.width / size.reduction, size.height / size.reduction)
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
    let step = ScreensTests.sizes[block].reduction
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
