import Ink

/// Reads the path data that the SVG writer makes use of: M, and relative l, q, c; z; whole numbers.
struct PathData {
  private var rest: Substring.UTF8View
  private var pen = Point.zero

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next contour, in millimetres; false where there is none that can be understood.
  mutating func nextContour(into path: inout Path) -> Bool {
    path.removeAll()
    guard rest.popFirst() == UInt8(ascii: "M"), let start = point() else { return false }
    pen = start
    path.move(to: start / 1000)
    while let command = rest.popFirst() {
      switch command {
      case UInt8(ascii: "z"): return true
      case UInt8(ascii: "l"):
        guard let points = points(1) else { return false }
        path.line(to: points[0] / 1000)
      case UInt8(ascii: "q"):
        guard let points = points(2) else { return false }
        path.quad(points[0] / 1000, to: points[1] / 1000)
      case UInt8(ascii: "c"):
        guard let points = points(3) else { return false }
        path.cubic(points[0] / 1000, points[1] / 1000, to: points[2] / 1000)
      default: return false
      }
    }
    return false
  }

  /// The contours that are left, with curves in `steps` chords, in millimetres.
  mutating func polygons(steps: Int) -> [[Point]] {
    var polygons: [[Point]] = []
    var path = Path()
    while nextContour(into: &path) {
      var polygon: [Point] = []
      var at = 0
      for index in path.verbs.indices {
        let degree: Int
        switch path.verbs[index] {
        case .move, .line: degree = 1
        case .quad: degree = 2
        case .cubic: degree = 3
        }
        let ends = [polygon.last ?? path.points[at]] + (at..<at + degree).map { path.points[$0] }
        at += degree
        let w = ends.map { WeightedPoint($0, weight: 0) }
        let curve =
          degree == 2
          ? Segment(w[0], w[1], w[2]) : Segment(w[0], w[1], w[w.count - 2], w[w.count - 1])
        if degree == 1 {
          polygon.append(ends[1])
        } else {
          for step in 1...steps {
            polygon.append(curve.point(at: Float(step) / Float(steps)).position)
          }
        }
      }
      polygons.append(polygon)
    }
    return polygons
  }

  private mutating func points(_ count: Int) -> [Point]? {
    let origin = pen
    for index in 0..<count {
      guard let offset = point() else { return nil }
      pen = origin + offset
      if index == 0 { collected = [] }
      collected.append(pen)
    }
    return collected
  }

  private var collected: [Point] = []

  private mutating func point() -> Point? {
    guard let x = number(), let y = number() else { return nil }
    return Point(x, y)
  }

  private mutating func number() -> Float? {
    if rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    var digits = ""
    if rest.first == UInt8(ascii: "-") {
      digits = "-"
      rest.removeFirst()
    }
    while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      digits.unicodeScalars.append(Unicode.Scalar(byte))
      rest.removeFirst()
    }
    return Float(digits)
  }
}
