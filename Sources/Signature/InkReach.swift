internal import Ink

/// How far the ink of strokes reaches, in millimetres.
struct InkReach {
  private(set) var from = Point(.infinity, .infinity)
  private(set) var to = Point(-.infinity, -.infinity)

  /// The hull of the outlines' control points: all ink is inside. Nil where there is none.
  static func hull(
    of strokes: [Stroke], by kind: StrokeModel.Kind, law: WidthLaw
  ) -> InkReach? {
    reach(of: strokes, by: kind, law) { reach, path in
      for index in path.points.indices { reach.add(path.points[index]) }
    }
  }

  /// To the outlines themselves, within hundredths of a millimetre. Nil where there is no ink.
  static func outlines(
    of strokes: [Stroke], by kind: StrokeModel.Kind, law: WidthLaw
  ) -> InkReach? {
    reach(of: strokes, by: kind, law) { reach, path in reach.addPoints(of: path) }
  }

  private static func reach(
    of strokes: [Stroke], by kind: StrokeModel.Kind, _ law: WidthLaw,
    _ add: (inout InkReach, borrowing Path) -> Void
  ) -> InkReach? {
    var reach = InkReach()
    var path = Path()
    for stroke in strokes {
      stroke.finishedInk(by: kind, law: law) { segment, _ in
        path.removeAll()
        StrokeModel.outline(of: segment, by: kind, into: &path)
        add(&reach, path)
      }
    }
    return reach.from.x <= reach.to.x ? reach : nil
  }

  /// Curves are followed in so many steps.
  private static let steps = 32

  private mutating func addPoints(of path: borrowing Path) {
    path.follow(steps: InkReach.steps) { add($0) }
  }

  private mutating func add(_ point: Point) {
    from = Point(min(from.x, point.x), min(from.y, point.y))
    to = Point(max(to.x, point.x), max(to.y, point.y))
  }
}
