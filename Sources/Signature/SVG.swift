public import Ink

/// Writes a signature as SVG, with the same outlines that are filled on the pad.
///
/// Each stroke is a path or a group of paths. Coordinates are in micrometres, which need no decimals.
public struct SVG {
  private var text: [UInt8] = []
  /// The current point of the path, in micrometres.
  ///
  /// Relative coordinates are shorter. They do not drift, as they start from rounded positions.
  private var pen = SIMD2<Int64>.zero
  private static let integer = FixedPoint(decimals: 0)
  private static let millimetre = FixedPoint(decimals: 3)

  /// Writes strokes; throws `InkPicture.Refusal.noInk` if the frame is the ink and there is none.
  ///
  /// - Parameters:
  ///   - frame: The part of the glass that the picture shows.
  ///   - colour: The colour of the ink, 0xRRGGBB.
  ///   - title: A title for people and search engines; not drawn.
  public static func write(
    _ strokes: [Stroke], by kind: StrokeModel.Kind, law: WidthLaw = .standard,
    frame: InkPicture.Frame, colour: UInt32 = 0, title: String? = nil
  ) throws(InkPicture.Refusal) -> [UInt8] {
    var svg = SVG()
    svg.open(try box(strokes, kind, law, frame), colour, title)
    for stroke in strokes { svg.add(stroke, kind, law) }
    svg.add("</g>\n</svg>\n")
    return svg.text
  }

  private static func box(
    _ strokes: [Stroke], _ kind: StrokeModel.Kind, _ law: WidthLaw, _ frame: InkPicture.Frame
  ) throws(InkPicture.Refusal) -> (from: Point, to: Point) {
    switch frame {
    case .glass(let size): return (.zero, size)
    case .ink(let margin):
      guard let reach = InkReach.outlines(of: strokes, by: kind, law: law) else { throw .noInk }
      return (reach.from - Point(repeating: margin), reach.to + Point(repeating: margin))
    }
  }

  private mutating func open(_ box: (from: Point, to: Point), _ colour: UInt32, _ title: String?) {
    let (from, to) = (SVG.micrometres(box.from), SVG.micrometres(box.to))
    let size = to &- from
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
    SVG.millimetre.append(units: size.x, to: &text)
    add("mm\" height=\"")
    SVG.millimetre.append(units: size.y, to: &text)
    add("mm\" viewBox=\"")
    for (index, number) in [from.x, from.y, size.x, size.y].enumerated() {
      if index > 0 { add(" ") }
      SVG.integer.append(units: number, to: &text)
    }
    add("\">\n")
    if let title {
      add("<title>")
      XMLText.append(title, to: &text)
      add("</title>\n")
    }
    add("<g fill=\"#")
    for shift in stride(from: UInt32(20), through: 0, by: -4) {
      text.append(XMLText.digit(colour >> shift))
    }
    add("\" fill-rule=\"nonzero\">\n")
  }

  /// Appends a stroke as one path, in which outlines join without a seam.
  ///
  /// An outline of which a part runs the other way round would make a hole in its neighbour; it has a path of
  /// its own.
  private mutating func add(_ stroke: Stroke, _ kind: StrokeModel.Kind, _ law: WidthLaw) {
    var joined = SVG()
    var apart = SVG()
    var path = Path()
    stroke.finalisedInk(by: kind, law: law) { segment, _ in
      path.removeAll()
      StrokeModel.outline(of: segment, by: kind, into: &path)
      if kind != .ductus, path.reversedArea() > SVG.invisible {
        apart.add("<path d=\"")
        apart.add(path)
        apart.add("\"/>\n")
      } else {
        joined.add(path)
      }
    }
    let isGroup = !apart.text.isEmpty
    if isGroup { add("<g>\n") }
    // A stroke without finite positions leaves no ink.
    if !joined.text.isEmpty {
      add("<path d=\"")
      text += joined.text
      add("\"/>\n")
    }
    text += apart.text
    if isGroup { add("</g>\n") }
  }

  /// The largest invisible area, in mm²: the square of 0.01 mm.
  private static let invisible: Float = 1e-4

  private mutating func add(_ path: borrowing Path) {
    let points = path.points
    path.forEachVerb { verb, first in
      switch verb {
      case .move:
        // Each contour closes before the next one starts.
        if first > 0 { add("z") }
        add("M")
        pen = .zero
      case .line: add("l")
      case .quad: add("q")
      case .cubic: add("c")
      }
      addPoints(points, first, verb.pointCount)
    }
    if !path.isEmpty { add("z") }
  }

  /// Appends the points of one command, relative to its start.
  private mutating func addPoints(_ points: Span<Point>, _ first: Int, _ count: Int) {
    let origin = pen
    for index in first..<first + count {
      pen = SVG.micrometres(points[index])
      let offset = pen &- origin
      if index > first, offset.x >= 0 { add(" ") }
      SVG.integer.append(units: offset.x, to: &text)
      // A minus sign needs no blank before it.
      if offset.y >= 0 { add(" ") }
      SVG.integer.append(units: offset.y, to: &text)
    }
  }

  private static func micrometres(_ point: Point) -> SIMD2<Int64> {
    SIMD2(millimetre.units(of: Double(point.x)), millimetre.units(of: Double(point.y)))
  }

  private mutating func add(_ text: StaticString) { XMLText.append(text, to: &self.text) }
}
