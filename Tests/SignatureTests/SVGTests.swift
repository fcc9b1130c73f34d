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

  @Test(arguments: kinds)
  func `filled, the outlines are the picture that the pad shows`(_ kind: StrokeModel.Kind) throws {
    let scale = Scale(x: 6, y: 6)
    let frame = InkPicture.Frame.glass(Point(150, 85))
    let picture = try InkPicture(of: word, by: kind, scale: scale, frame: frame)
    let svg = try #require(XMLReader(try SVG.write(word, by: kind, frame: frame)))
    let paths = svg.all("path")
    #expect(paths.count == word.count)
    var planes = InkPlanes(width: picture.width, height: picture.height)
    for path in paths {
      var data = PathData(try #require(path.attributes["d"]))
      var outline = Path()
      while data.nextContour(into: &outline) { _ = planes.settle(outline, scale: scale) }
      #expect(data.isAtEnd)
      planes.endStroke()
    }
    let drawn = planes.coverage(of: PixelRect(width: picture.width, height: picture.height))
    // A micrometre is 0.006 of a pixel here.
    let worst = zip(drawn, picture.coverage).map { abs(Int($0) - Int($1)) }.max()
    #expect(try #require(worst) <= 4)
  }

  @Test(arguments: kinds)
  func `trimmed, the margin is the same on all sides`(_ kind: StrokeModel.Kind) throws {
    let svg = try #require(XMLReader(try SVG.write(word, by: kind, frame: .ink(margin: 3))))
    let box = try #require(svg.all("svg").first?.attributes["viewBox"]).split(separator: " ")
      .compactMap { Float(String($0)) }.map { $0 / 1000 }
    let scale = Scale(x: 20, y: 20)
    let picture = try InkPicture(of: word, by: kind, scale: scale, frame: .ink(margin: 3))
    #expect(abs(box[0] - Float(picture.left) / 20) < 0.1)
    #expect(abs(box[1] - Float(picture.top) / 20) < 0.1)
    #expect(abs(box[2] - Float(picture.width) / 20) < 0.15)
    #expect(abs(box[3] - Float(picture.height) / 20) < 0.15)
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
}
