internal import Ink

extension Path {
  /// Goes along all contours: their starts, the ends of edges, and of curves `steps` points each, the last of which is
  /// the end.
  borrowing func follow(steps: Int, _ body: (Point) -> Void) {
    var at = 0
    var last = Point.zero
    for index in verbs.indices {
      let first = points[at]
      switch verbs[index] {
      case .move, .line:
        last = first
        at += 1
        body(last)
      case .quad:
        let end = points[at + 1]
        Path.curve(
          last, last + (first - last) * (2 / 3), end + (first - end) * (2 / 3), end, steps, body)
        last = end
        at += 2
      case .cubic:
        Path.curve(last, first, points[at + 1], points[at + 2], steps, body)
        last = points[at + 2]
        at += 3
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
}
