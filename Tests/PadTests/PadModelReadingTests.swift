import Configuration
import Control
import Ink
import PNG
import ScreenFixtures
import Spool
import SyntheticHand
import Testing

@testable import Pad
@testable import Raster
@testable import Screen

/// A document on the glass, in pixels.
@Suite struct PadModelReadingTests {
  let scale = Scale(x: 4, y: 4)
  static let width = 600

  /// Rows of a colour each, so that a row that is missing or twice is seen.
  static func page(height: Int) throws -> [UInt8] {
    var pixels: [UInt32] = []
    for y in 0..<height {
      let colour = 0xFF00_0000 | UInt32(y % 251) << 16 | UInt32(y / 251) << 8
      for x in 0..<width { pixels.append(colour | UInt32(x % 256)) }
    }
    return try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: width, height: height, pixels: .xrgb))
  }

  func model() -> PadModel {
    var rules = SessionRules()
    rules.invites = false
    return PadModel(
      width: Self.width, height: 360, scale: scale, model: .standard, theme: Theme(),
      minimumLength: 1, rules: rules)
  }

  func request(_ document: DocumentContent) throws -> TypesetRequest {
    var request = PadRequest(.signature, number: 1)
    request.document = RequestDocument(client: 1, id: "d", name: "n", digest: "", count: 1)
    request.document?.isEarly = true
    return try TestWords.builder("en", Point(150, 90)).typeset(request, document)
  }

  /// Opens a picture and hands over its page.
  func read(_ file: [UInt8], height: Int, _ model: inout PadModel) throws -> Scene {
    let picture = DocumentContent.Picture(digest: "d", width: Self.width, height: height)
    let request = try request(.pictures([picture]))
    model.open(request, at: 0)
    let pages = model.takeWantedPages()
    let wanted = try #require(pages)
    #expect(wanted.pages == [0] && wanted.scene === request.scene)
    model.take(
      .picture(try PagePicture(file, width: Self.width, limit: 16 << 20)), page: 0,
      of: request.scene, at: 0)
    return request.scene
  }

  /// Presses a button with a finger.
  func press(_ button: Button, _ model: inout PadModel, at time: Int64) -> FinishedSignature? {
    let layout = model.session.requests.scene.layout(of: model.session.viewState.page)
    _ = model.down(Sample(time: time, position: layout.area(of: button).centre))
    return model.up(at: time)
  }

  func drag(_ model: inout PadModel, by distance: Float) {
    _ = model.down(Sample(time: 1, position: Point(70, 40)))
    // Beyond the slack in which the direction is decided.
    _ = model.move(Sample(time: 1, position: Point(70, 40 - (distance > 0 ? 3 : -3))))
    let start: Float = 40 - (distance > 0 ? 3 : -3)
    _ = model.move(Sample(time: 1, position: Point(70, start - distance)))
    _ = model.up(at: 1)
  }

  @Test func `a page that is as wide as the panel is shown pixel by pixel`() throws {
    let (file, height) = (try Self.page(height: 700), 700)
    var model = model()
    let scene = try read(file, height: height, &model)
    _ = model.compose()
    let area = try #require(scene.reading).pixels(scale, width: Self.width, height: 360)
    let page = try PNGFile.decode(file)
    for y in 0..<area.height {
      for x in stride(from: 0, to: Self.width, by: 7) {
        let place = 3 * (y * Self.width + x)
        let rgb = page.bytes[place..<(place + 3)].reduce(0xFF) { $0 << 8 | UInt32($1) }
        let shown = model.canvas[x, Int(area.y0) + y]
        try #require(shown == rgb, "\(x), \(y)")
      }
    }
  }

  @Test func `the last row is on the glass at the end, whatever the shape of the pixels`() throws {
    let height = 700
    for aspect: Float in [0.8, 1, 1.25] {
      let panel = ScreenGeometry(width: Self.width, height: 360, scale: Scale(x: 4, y: 4 * aspect))
      var parts = LayoutParts()
      parts.hasDocument = true
      let picture = DocumentContent.Picture(digest: "d", width: Self.width, height: height)
      let reading = Reading(
        .pictures([picture]), glass: panel.glass, pixelAspect: 1 / aspect, parts: parts,
        isEarly: true)
      let area = reading.pixels(panel.scale, width: panel.width, height: panel.height)
      let reach = (reading.pages[0].height - reading.area.size.y) * panel.scale.y
      #expect(abs(reach - Float(height - area.height)) <= 2, "\(aspect)")
    }
  }

  @Test(arguments: 0..<6) func `scrolling shows the same pixels as painting anew`(_ seed: Int)
    throws
  {
    var random = SeededRandom(seed: UInt64(seed))
    let (file, height) = (try Self.page(height: 900), 900)
    var model = model()
    let scene = try read(file, height: height, &model)
    let area = try #require(scene.reading).pixels(scale, width: Self.width, height: 360)
    for _ in 1...12 {
      drag(&model, by: Float.random(in: -60...60, using: &random))
      // As a frame does.
      model.scroll()
      _ = model.compose()
      let reading = model.session.viewState.reading
      let offset = try #require(reading).offset
      let top = model.canvas[17, Int(area.y0)]
      let first = Int(top >> 16 & 255) + 251 * Int(top >> 8 & 255)
      #expect(abs(first - Int((offset * scale.y).rounded())) <= 2)
      for y in stride(from: 0, to: area.height, by: 3) {
        let row = first + y
        let colour: UInt32 = 0xFF00_0011
        let expected = colour | UInt32(row % 251) << 16 | UInt32(row / 251) << 8
        let shown = model.canvas[17, Int(area.y0) + y]
        try #require(shown == expected, "row \(y) at \(first)")
      }
    }
  }

  @Test func `a page that is scrolled is painted when a frame takes it, at its last position`()
    throws
  {
    var model = model()
    let scene = try read(try Self.page(height: 900), height: 900, &model)
    let area = try #require(scene.reading).pixels(scale, width: Self.width, height: 360)
    _ = model.compose()
    _ = model.down(Sample(time: 1, position: Point(70, 60)))
    for step in 1...100 {
      _ = model.move(Sample(time: Int64(step), position: Point(70, 60 - 0.3 * Float(step))))
      let damage = model.compose()
      #expect(damage.isEmpty)
    }
    #expect(model.canvas[17, Int(area.y0)] == 0xFF00_0011)
    var isScrolled = model.isScrolled
    #expect(isScrolled)
    model.scroll()
    let damage = model.compose()
    #expect(damage.bounds == area)
    let offset = try #require(model.session.viewState.reading).offset
    let first = Int(model.canvas[17, Int(area.y0)] >> 16 & 255)
    #expect(offset > 25 && abs(first - Int((offset * scale.y).rounded())) <= 2)
    isScrolled = model.isScrolled
    #expect(!isScrolled)
  }

  @Test func `a page that is turned while it is scrolled is painted at once`() throws {
    var model = model()
    _ = try read(try Self.page(height: 900), height: 900, &model)
    _ = model.compose()
    drag(&model, by: 20)
    var isScrolled = model.isScrolled
    #expect(isScrolled)
    _ = press(.sign, &model, at: 2)
    isScrolled = model.isScrolled
    let damage = model.compose()
    #expect(!isScrolled && !damage.isEmpty)
  }

  @Test func `a page that is lower than its area is in the middle of it`() throws {
    var model = model()
    let scene = try read(try Self.page(height: 100), height: 100, &model)
    _ = model.compose()
    let area = try #require(scene.reading).pixels(scale, width: Self.width, height: 360)
    let top = Int(area.y0) + (area.height - 100) / 2
    let rows = [top - 1, top, top + 99].map { model.canvas[17, $0] }
    #expect(rows[0] != 0xFF00_0011 && rows[1] == 0xFF00_0011 && rows[2] == 0xFF63_0011)
  }

  @Test func `the ink is hidden while a page is shown, and is the same afterwards`() throws {
    var model = model()
    let scene = try read(try Self.page(height: 300), height: 300, &model)
    _ = press(.sign, &model, at: 1)
    for (index, sample) in SyntheticHand().paraph(at: Point(30, 40), height: 9)[0].enumerated() {
      _ = index == 0 ? model.down(sample) : model.move(sample)
    }
    _ = model.up(at: 2)
    _ = model.compose()
    let signed = model.canvas.pixels
    _ = press(.document, &model, at: 3)
    _ = model.compose()
    let page = model.canvas.pixels
    let isHidden = page != signed
    #expect(isHidden)
    var fresh = self.model()
    _ = try read(try Self.page(height: 300), height: 300, &fresh)
    _ = fresh.compose()
    let first = fresh.canvas.pixels
    // A failure would print each pixel.
    let differing = zip(page, first).enumerated().filter { $1.0 != $1.1 }.map { $0.offset }
    let places = (differing.first, differing.last, differing.count)
    #expect(differing.isEmpty, "\(places) of rows of \(Self.width)")
    _ = press(.sign, &model, at: 4)
    _ = model.compose()
    let again = model.canvas.pixels
    let isSame = again == signed
    #expect(isSame)
    let finished = press(.done, &model, at: 5)
    #expect(finished?.shown.document?.pages.map { $0.digest } == ["d"])
    _ = scene
  }

  @Test func `pages beside the current one are wanted, and others dropped`() throws {
    let text = String(repeating: "One line of a text that fills pages.\n", count: 80)
    let request = try request(.text(text))
    let count = try #require(request.scene.reading).pages.count
    #expect(count > 3)
    var model = model()
    model.open(request, at: 0)
    var wanted: [[Int]] = []
    for _ in 0..<3 {
      if let pages = model.takeWantedPages()?.pages { wanted.append(pages) }
      _ = model.press(.forward, for: 0, at: 1)
    }
    #expect(wanted == [[0, 1], [1, 2, 0], [2, 3, 1]])
    let nothing = model.takeWantedPages()
    #expect(nothing?.pages == [3, 4, 2])
    let again = model.takeWantedPages()
    #expect(again == nil)
  }

  @Test func `every character of a text is on exactly one page`() throws {
    let builder = try TestWords.builder("en", Point(150, 90))
    let text = String(repeating: "Grüße, the\tquick brown fox; 漢字 والنص\n\n", count: 60)
    let request = try request(.text(text))
    let reading = try #require(request.scene.reading)
    #expect(reading.shows(text))
    #expect(!reading.shows(text + "x") && !reading.shows(String(text.dropLast())))
    #expect(builder.sheet(of: 0, in: request.scene) != nil)
    #expect(builder.sheet(of: reading.pages.count, in: request.scene) == nil)
  }
}
