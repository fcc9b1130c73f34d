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
  /// Millimetres in micrometres, and seconds in milliseconds.
  private static let thousandth = FixedPoint(decimals: 3)

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

  /// Writes strokes as an animation in which the ink grows as the hand drew it, again and again.
  ///
  /// Each frame shows the tail that the pad showed. Programs that do not animate show the finished ink.
  ///
  /// - Parameters:
  ///   - frame: The part of the glass that the picture shows, on white paper.
  ///   - colour: The colour of the ink, 0xRRGGBB.
  ///   - title: A title for people and search engines; not drawn.
  ///   - rate: Frames per second, 1…240.
  public static func animate(
    _ strokes: [Stroke], by kind: StrokeModel.Kind, law: WidthLaw = .standard,
    frame: InkPicture.Frame, colour: UInt32 = 0, title: String? = nil, rate: Int = 30
  ) throws(InkPicture.Refusal) -> [UInt8] {
    var svg = SVG()
    let box = try box(strokes, kind, law, frame)
    svg.open(box, colour, title)
    svg.addPaper(box)
    let rate = min(max(rate, 1), 240)
    let frames = InkFrames(of: strokes, by: kind, law: law, rate: rate).frames
    let last = frames.last?.number ?? 0
    // The paper is empty for a moment before the first ink; the signature is shown for two seconds after the last.
    let first = max(1, rate / 3)
    svg.add(
      "<animate id=\"loop\" attributeName=\"visibility\" values=\"visible\" begin=\"0s;loop.end\" dur=\""
    )
    svg.addTime(first + last + 2 * rate, rate)
    svg.add("\"/>\n")
    for (index, frame) in frames.enumerated() {
      let end = index + 1 < frames.count ? frames[index + 1].number : last + 1
      if !frame.finalised.isEmpty {
        let ink = (frame.joint.map { [$0] } ?? []) + frame.finalised
        svg.add(ink, kind, hiddenFor: first + frame.number, rate)
      }
      if !frame.tail.isEmpty {
        let tail = ((frame.finalised.last ?? frame.joint).map { [$0] } ?? []) + frame.tail
        svg.add(tail, kind, from: first + frame.number, for: end - frame.number, rate)
      }
    }
    svg.add("</g>\n</svg>\n")
    return svg.text
  }

  private mutating func addPaper(_ box: (from: Point, to: Point)) {
    let (from, size) = (
      SVG.micrometres(box.from), SVG.micrometres(box.to) &- SVG.micrometres(box.from)
    )
    add("<path fill=\"#fff\" d=\"M")
    SVG.integer.append(units: from.x, to: &text)
    add(" ")
    SVG.integer.append(units: from.y, to: &text)
    add("h")
    SVG.integer.append(units: size.x, to: &text)
    add("v")
    SVG.integer.append(units: size.y, to: &text)
    add("h")
    SVG.integer.append(units: -size.x, to: &text)
    add("z\"/>\n")
  }

  /// Appends ink that every round of the animation hides at first.
  private mutating func add(
    _ segments: [Segment], _ kind: StrokeModel.Kind, hiddenFor frames: Int, _ rate: Int
  ) {
    add("<g><set attributeName=\"visibility\" to=\"hidden\" begin=\"loop.begin\" dur=\"")
    addTime(frames, rate)
    add("\"/>\n")
    addPaths(of: segments, kind)
    add("</g>\n")
  }

  /// Appends a tail that every round of the animation shows for some frames.
  private mutating func add(
    _ tail: [Segment], _ kind: StrokeModel.Kind, from frame: Int, for frames: Int, _ rate: Int
  ) {
    add(
      "<g visibility=\"hidden\"><set attributeName=\"visibility\" to=\"visible\" begin=\"loop.begin+"
    )
    addTime(frame, rate)
    add("\" dur=\"")
    // Ends exactly where the next frame starts, although both are rounded.
    let duration = SVG.milliseconds(frame + frames, rate) - SVG.milliseconds(frame, rate)
    SVG.thousandth.append(units: duration, to: &text)
    add("s\"/>\n")
    addPaths(of: tail, kind)
    add("</g>\n")
  }

  /// Appends the time of a frame in seconds.
  private mutating func addTime(_ frame: Int, _ rate: Int) {
    SVG.thousandth.append(units: SVG.milliseconds(frame, rate), to: &text)
    add("s")
  }

  private static func milliseconds(_ frame: Int, _ rate: Int) -> Int64 {
    Int64(frame) * 1000 / Int64(rate)
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
    SVG.thousandth.append(units: size.x, to: &text)
    add("mm\" height=\"")
    SVG.thousandth.append(units: size.y, to: &text)
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

  /// Appends a stroke as a path, or as a group of paths if it needs several.
  private mutating func add(_ stroke: Stroke, _ kind: StrokeModel.Kind, _ law: WidthLaw) {
    var segments: [Segment] = []
    stroke.finalisedInk(by: kind, law: law) { segment, _ in segments.append(segment) }
    var paths = SVG()
    let isGroup = paths.addPaths(of: segments, kind)
    if isGroup { add("<g>\n") }
    text += paths.text
    if isGroup { add("</g>\n") }
  }

  /// Appends segments as one path, in which outlines join without a seam.
  ///
  /// An outline of which a part runs the other way round would make a hole in its neighbour; it has a path of
  /// its own. Returns whether there is one.
  @discardableResult
  private mutating func addPaths(of segments: [Segment], _ kind: StrokeModel.Kind) -> Bool {
    var joined = SVG()
    var apart = SVG()
    var path = Path()
    for segment in segments {
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
    // A stroke without finite positions leaves no ink.
    if !joined.text.isEmpty {
      add("<path d=\"")
      text += joined.text
      add("\"/>\n")
    }
    text += apart.text
    return !apart.text.isEmpty
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
    SIMD2(thousandth.units(of: Double(point.x)), thousandth.units(of: Double(point.y)))
  }

  private mutating func add(_ text: StaticString) { XMLText.append(text, to: &self.text) }
}
