import Ink
import Raster
import Signature
import SyntheticHand
import Testing

@Suite struct SVGTests {
  static let kinds = StrokeModel.Kind.allCases
  let word = SyntheticHand().paraph(at: Point(15, 55), height: 9).map { Stroke($0) }

  @Test func `a line is an outline in micrometres`() throws {
    let stroke = Stroke([
      Sample(time: 0, position: Point(10, 20)), Sample(time: 1, position: Point(12, 20)),
    ])
    let text = String(
      decoding: try SVG.write(
        [stroke], by: .polyline, frame: .glass(Point(100, 60)), colour: 0x1A2B3C,
        title: "A & <B>"), as: UTF8.self)
    #expect(
      text == """
        <svg xmlns="http://www.w3.org/2000/svg" width="100.000mm" height="60.000mm" viewBox="0 0 100000 60000">
        <title>A &amp; &lt;B&gt;</title>
        <g fill="#1a2b3c" fill-rule="nonzero">
        <path d="M10000 19766l2000 0l0 468l-2000 0z"/>
        </g>
        </svg>

        """)
  }

  /// The paths of each stroke: one, or those of a group.
  private func strokes(_ svg: XMLReader) throws -> [[String]] {
    let all = try #require(svg.elements.indices.first { svg.elements[$0].name == "g" })
    return try svg.children(of: all).map { index, element in
      let paths = element.name == "g" ? svg.children(of: index).map(\.element) : [element]
      #expect(paths.allSatisfy { $0.name == "path" } && !paths.isEmpty)
      return try paths.map { try #require($0.attributes["d"]) }
    }
  }

  @Test(arguments: kinds)
  func `its contours are the outlines that the pad shows`(_ kind: StrokeModel.Kind) throws {
    let scale = Scale(x: 6, y: 6)
    let frame = InkPicture.Frame.glass(Point(150, 85))
    let picture = try InkPicture(of: word, by: kind, scale: scale, frame: frame)
    let svg = try #require(XMLReader(try SVG.write(word, by: kind, frame: frame)))
    let strokes = try strokes(svg)
    #expect(strokes.count == word.count)
    var planes = InkPlanes(width: picture.width, height: picture.height)
    for paths in strokes {
      for path in paths {
        var data = PathData(path)
        var outline = Path()
        while data.nextContour(into: &outline) { _ = planes.addFinalised(outline, scale: scale) }
        #expect(data.isAtEnd)
      }
      planes.endStroke()
    }
    let drawn = planes.coverage(of: PixelRect(width: picture.width, height: picture.height))
    // A micrometre is 0.006 of a pixel here.
    let worst = zip(drawn, picture.coverage).map { abs(Int($0) - Int($1)) }.max()
    #expect(try #require(worst) <= 4)
  }

  /// Strokes that turn sharply, where the edges of the published models cross.
  private static let zigzags: [Stroke] = {
    var random = SeededRandom(seed: 5)
    return (0..<10).map { row in
      var place = Point(8, 5 + Float(row) * 5)
      return Stroke(
        (0..<40).map { index in
          place += Point(
            Float.random(in: -2.2...3.2, using: &random), Float.random(in: -2...2, using: &random))
          return Sample(time: Int64(index) * 8_000_000, position: place)
        })
    }
  }()

  /// As a browser fills it: all contours of a path together, by the non-zero rule.
  @Test(arguments: kinds)
  func `filled, it has the ink that the pad shows, without holes`(_ kind: StrokeModel.Kind) throws {
    let pixels: Float = 16
    for (index, stroke) in (Self.zigzags + word).enumerated() {
      // Where the ink is: coordinates are those of the glass in both.
      let frame = InkPicture.Frame.ink(margin: 0.2)
      let picture = try InkPicture(
        of: [stroke], by: kind, scale: Scale(x: pixels, y: pixels), frame: frame)
      let corner = Point(Float(picture.left), Float(picture.top))
      let svg = try #require(XMLReader(try SVG.write([stroke], by: kind, frame: frame)))
      var fill = NonZeroFill(width: picture.width, height: picture.height)
      for path in try strokes(svg).flatMap({ $0 }) {
        var data = PathData(path)
        fill.add(data.polygons(steps: 24).map { $0.map { $0 * pixels - corner } })
        #expect(data.isAtEnd)
      }
      // Well inside the ink and well outside: at its borders pixels are grey. Of a wedge between two pieces of a
      // line a pixel may be inked in the picture alone, where their overlap beside it makes up for it: 0.004 mm².
      let (inside, outside) = fill.wrong(picture.coverage)
      #expect(inside <= 2 && outside == 0, "stroke \(index): \(inside) holes, \(outside) blots")
    }
  }

  @Test func `outlines have paths of their own only where they run the other way round`() throws {
    let frame = InkPicture.Frame.glass(Point(70, 60))
    for kind in Self.kinds {
      let svg = try #require(XMLReader(try SVG.write(Self.zigzags, by: kind, frame: frame)))
      let counts = try strokes(svg).map(\.count)
      let isPublished = kind == .uberSignature || kind == .velocityStrip
      #expect(isPublished ? counts.contains { $0 > 1 } : counts.allSatisfy { $0 == 1 }, "\(kind)")
      var segments = 0
      for stroke in Self.zigzags { stroke.finalisedInk(by: kind) { _, _ in segments += 1 } }
      #expect(counts.reduce(0, +) < segments)
    }
  }

  @Test(arguments: kinds)
  func `trimmed, the margin is the same on all sides`(_ kind: StrokeModel.Kind) throws {
    let svg = try #require(XMLReader(try SVG.write(word, by: kind, frame: .ink(margin: 3))))
    let box = try #require(svg.all("svg").first?.attributes["viewBox"]).split(separator: " ")
      .compactMap { Float(String($0)) }.map { $0 / 1000 }
    try #require(box.count == 4)
    // Around the outlines as they are drawn, not around the points that curves are led by.
    var low = Point(repeating: .infinity)
    var high = -low
    for path in try strokes(svg).flatMap({ $0 }) {
      var data = PathData(path)
      for point in data.polygons(steps: 24).flatMap({ $0 }) {
        low = Point(min(low.x, point.x), min(low.y, point.y))
        high = Point(max(high.x, point.x), max(high.y, point.y))
      }
    }
    #expect(abs(low.x - box[0] - 3) < 0.01 && abs(low.y - box[1] - 3) < 0.01)
    #expect(abs(box[0] + box[2] - high.x - 3) < 0.01 && abs(box[1] + box[3] - high.y - 3) < 0.01)
  }

  @Test func `a stroke without ink has no path, and nothing at all is refused when trimmed`() throws
  {
    let nowhere = Stroke([Sample(time: 0, position: Point(.nan, 0))])
    let svg = try SVG.write([nowhere], by: .polyline, frame: .glass(Point(10, 10)))
    #expect(try #require(XMLReader(svg)).all("path").isEmpty)
    #expect(throws: InkPicture.Refusal.noInk) {
      _ = try SVG.write([nowhere], by: .polyline, frame: .ink(margin: 2))
    }
  }

  @Test(arguments: kinds)
  func `an animation hides all ink at first, shows one tail at a time, and rests for two seconds`(
    _ kind: StrokeModel.Kind
  ) throws {
    let bytes = try SVG.animate(word, by: kind, frame: .glass(Point(150, 85)), rate: 30)
    let svg = try #require(XMLReader(bytes))
    func seconds(_ text: Substring) throws -> Double {
      let number = try #require(text.hasSuffix("s") ? Double(text.dropLast()) : nil)
      return number
    }
    let loop = try #require(svg.elements.first { $0.name == "animate" })
    let length = try seconds(try #require(loop.attributes["dur"])[...])
    var shown = 0.0
    var tails = 0
    for set in svg.elements where set.name == "set" {
      let duration = try seconds(try #require(set.attributes["dur"])[...])
      let begin = try #require(set.attributes["begin"])
      if set.attributes["to"] == "hidden" {
        #expect(begin == "loop.begin" && duration > 0 && duration < length)
      } else {
        let start = try seconds(begin.dropFirst("loop.begin+".count))
        // One ends where the next one starts, unless the hand rests.
        #expect(start > shown - 0.0001 && start + duration < length)
        #expect(start < shown + 0.0001 || start - shown > 0.019 || tails == 0)
        shown = start + duration
        tails += 1
      }
    }
    #expect(tails > 20)
    #expect(abs(length - shown - 2) < 0.05)
    #expect(svg.elements.filter { $0.name == "path" }.allSatisfy { $0.attributes["d"] != nil })
  }

  @Test(arguments: kinds) func `an animation is drawn on white paper`(_ kind: StrokeModel.Kind)
    throws
  {
    func drawn(_ frame: InkPicture.Frame) throws -> (box: [Substring], paper: String?) {
      let svg = try #require(XMLReader(try SVG.animate(word, by: kind, frame: frame)))
      let box = try #require(svg.all("svg").first?.attributes["viewBox"]).split(separator: " ")
      try #require(box.count == 4)
      return (box, svg.elements.first { $0.attributes["fill"] == "#fff" }?.attributes["d"])
    }
    let glass = try drawn(.glass(Point(150, 85)))
    #expect(glass.box == ["0", "0", "150000", "85000"])
    #expect(glass.paper == "M0 0h150000v85000h-150000z")
    let (box, paper) = try drawn(.ink(margin: 3))
    #expect(paper == "M\(box[0]) \(box[1])h\(box[2])v\(box[3])h-\(box[2])z")
  }

  @Test func `an animation without its tails has the ink of the drawing`() throws {
    let frame = InkPicture.Frame.glass(Point(150, 85))
    func contours(_ paths: [String]) -> Set<Substring> {
      Set(paths.flatMap { $0.split(separator: "M") })
    }
    let drawing = try #require(XMLReader(try SVG.write(word, by: .ductus, frame: frame)))
    let animation = try #require(XMLReader(try SVG.animate(word, by: .ductus, frame: frame)))
    let groups = animation.elements.indices.filter { animation.elements[$0].name == "g" }
    // The first group holds the others; those of tails are hidden where nothing animates.
    let ink = groups.dropFirst().filter { animation.elements[$0].attributes["visibility"] == nil }
    let paths = ink.flatMap { animation.children(of: $0).compactMap { $0.element.attributes["d"] } }
    #expect(
      contours(paths) == contours(drawing.elements.compactMap { $0.attributes["d"] })
        && ink.count > 20 && groups.count > ink.count + 20)
  }
}
