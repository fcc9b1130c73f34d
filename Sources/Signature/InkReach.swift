internal import Ink

/// The extent of the ink of strokes, in millimetres.
struct InkReach {
  /// The left top corner.
  private(set) var from = Point(.infinity, .infinity)
  /// The right bottom corner.
  private(set) var to = Point(-.infinity, -.infinity)

  /// The hull of the outlines' control points, which contains all ink; nil without ink.
  static func hull(
    of strokes: [Stroke], by kind: StrokeModel.Kind, law: WidthLaw
  ) -> InkReach? {
    reach(of: strokes, by: kind, law) { reach, path in
      for index in path.points.indices { reach.add(path.points[index]) }
    }
  }

  /// The extent of the outlines within hundredths of a millimetre; nil without ink.
  static func outlines(
    of strokes: [Stroke], by kind: StrokeModel.Kind, law: WidthLaw
  ) -> InkReach? {
    reach(of: strokes, by: kind, law) { reach, path in
      path.flatten(steps: InkReach.steps) { reach.add($0) }
    }
  }

  /// The number of chords of a curve.
  private static let steps = 32

  private static func reach(
    of strokes: [Stroke], by kind: StrokeModel.Kind, _ law: WidthLaw,
    _ add: (inout InkReach, borrowing Path) -> Void
  ) -> InkReach? {
    var reach = InkReach()
    var path = Path()
    for stroke in strokes {
      stroke.finalisedInk(by: kind, law: law) { segment, _ in
        path.removeAll()
        StrokeModel.outline(of: segment, by: kind, into: &path)
        add(&reach, path)
      }
    }
    return reach.from.x <= reach.to.x ? reach : nil
  }

  private mutating func add(_ point: Point) {
    from = Point(min(from.x, point.x), min(from.y, point.y))
    to = Point(max(to.x, point.x), max(to.y, point.y))
  }
}

extension Path {
  /// Calls `body` with the points of all contours, in order.
  ///
  /// They are the starts, the ends of lines, and `steps` points per curve.
  borrowing func flatten(steps: Int, _ body: (Point) -> Void) {
    let points = self.points
    var last = Point.zero
    forEachVerb { verb, index in
      let first = points[index]
      switch verb {
      case .move, .line:
        last = first
        body(last)
      case .quad:
        let end = points[index + 1]
        Path.curve(
          last, last + (first - last) * (2 / 3), end + (first - end) * (2 / 3), end, steps, body)
        last = end
      case .cubic:
        Path.curve(last, first, points[index + 1], points[index + 2], steps, body)
        last = points[index + 2]
      }
    }
  }

  private static func curve(
    _ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, _ steps: Int, _ body: (Point) -> Void
  ) {
    for step in 1...steps {
      let t = Float(step) / Float(steps)
      let s = 1 - t
      let (a, b) = (p0 * (s * s * s), p1 * (3 * s * s * t))
      let (c, d) = (p2 * (3 * s * t * t), p3 * (t * t * t))
      body(a + b + c + d)
    }
  }

  /// The area in mm² where a segment's outline runs the other way round.
  ///
  /// The edges of a sharp turn cross in the published models. The outline, one contour along one edge and back
  /// along the other, is cut across into triangles.
  borrowing func reversedArea() -> Float {
    var corners: [Point] = []
    flatten(steps: 16) { corners.append($0) }
    var sum: Float = 0
    for index in 0..<max(0, corners.count / 2 - 1) {
      let (a, b) = (corners[index], corners[index + 1])
      let (c, d) = (corners[corners.count - 2 - index], corners[corners.count - 1 - index])
      sum += max(0, -Path.area(a, b, c)) + max(0, -Path.area(a, c, d))
    }
    return sum
  }

  /// The signed area of a triangle, positive if it runs as outlines do.
  private static func area(_ a: Point, _ b: Point, _ c: Point) -> Float {
    let (first, second) = (b - a, c - a)
    return (first.x * second.y - first.y * second.x) / 2
  }
}
