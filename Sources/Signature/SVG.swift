public import Ink

/// A signature as SVG: the very outlines that are filled on the pad, so that it looks the same at any
/// size. One path for each stroke, or a group of paths; the unit of coordinates is a micrometre, which needs no
/// decimals.
public struct SVG {
  private var text: [UInt8] = []
  /// Where the pen of the path stands, in micrometres: relative coordinates are shorter, and counted
  /// from rounded places they do not drift.
  private var pen = SIMD2<Int64>.zero
  private static let integer = FixedPoint(decimals: 0)
  private static let millimetre = FixedPoint(decimals: 3)

  /// Writes strokes.
  ///
  /// - Parameters:
  ///   - frame: What of the glass is in the picture.
  ///   - colour: Of the ink, 0xRRGGBB.
  ///   - title: For people and search; not shown.
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

  /// In one path outlines join without a seam, if they run the same way round. A part that runs the other way
  /// round would make a hole where it lies over a neighbour, so such outlines have paths of their own.
  private mutating func add(_ stroke: Stroke, _ kind: StrokeModel.Kind, _ law: WidthLaw) {
    var joined = SVG()
    var apart = SVG()
    var path = Path()
    stroke.finishedInk(by: kind, law: law) { segment, _ in
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
    // A stroke whose samples have no place leaves no ink.
    if !joined.text.isEmpty {
      add("<path d=\"")
      text += joined.text
      add("\"/>\n")
    }
    text += apart.text
    if isGroup { add("</g>\n") }
  }

  /// A hundredth of a millimetre squared, in mm².
  private static let invisible: Float = 1e-4

  private mutating func add(_ path: borrowing Path) {
    var at = 0
    for index in path.verbs.indices {
      switch path.verbs[index] {
      case .move:
        // Every contour closes by itself before the next one begins.
        if index > 0 { add("z") }
        add("M")
        pen = .zero
        at = addPoints(path.points, at, 1)
      case .line:
        add("l")
        at = addPoints(path.points, at, 1)
      case .quad:
        add("q")
        at = addPoints(path.points, at, 2)
      case .cubic:
        add("c")
        at = addPoints(path.points, at, 3)
      }
    }
    if path.verbs.count > 0 { add("z") }
  }

  /// The points of one command, all relative to where it starts; returns the place of the next one.
  private mutating func addPoints(_ points: Span<Point>, _ first: Int, _ count: Int) -> Int {
    let origin = pen
    for index in first..<first + count {
      pen = SVG.micrometres(points[index])
      let offset = pen &- origin
      if index > first, offset.x >= 0 { add(" ") }
      SVG.integer.append(units: offset.x, to: &text)
      // A minus separates as well as a blank does.
      if offset.y >= 0 { add(" ") }
      SVG.integer.append(units: offset.y, to: &text)
    }
    return first + count
  }

  private static func micrometres(_ point: Point) -> SIMD2<Int64> {
    SIMD2(millimetre.units(of: Double(point.x)), millimetre.units(of: Double(point.y)))
  }

  private mutating func add(_ text: StaticString) { XMLText.append(text, to: &self.text) }
}
