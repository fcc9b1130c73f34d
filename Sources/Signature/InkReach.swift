internal import Ink

/// How far the ink of strokes reaches, in millimetres: the hull of the outlines' control points.
struct InkReach {
  private(set) var from = Point(.infinity, .infinity)
  private(set) var to = Point(-.infinity, -.infinity)

  /// Nil where there is no ink.
  static func of(_ strokes: [Stroke], by kind: StrokeModel.Kind) -> InkReach? {
    var reach = InkReach()
    var model = StrokeModel(kind)
    var ink = StrokeInk()
    var path = Path()
    for stroke in strokes {
      for (index, sample) in stroke.samples.enumerated() {
        if index > 0, stroke.gaps.contains(index) { model.end(into: &ink) }
        if index == 0 || stroke.gaps.contains(index) {
          model.begin(at: sample, into: &ink)
        } else {
          model.extend(to: sample, into: &ink)
        }
        reach.take(&ink, kind, &path)
      }
      model.end(into: &ink)
      reach.take(&ink, kind, &path)
    }
    return reach.from.x <= reach.to.x ? reach : nil
  }

  private mutating func take(
    _ ink: inout StrokeInk, _ kind: StrokeModel.Kind, _ path: inout Path
  ) {
    for index in 0..<ink.finalised.count {
      path.removeAll()
      StrokeModel.outline(of: ink.finalised[index], by: kind, into: &path)
      for point in path.points.indices { add(path.points[point]) }
    }
    ink.finalised.removeAll()
  }

  private mutating func add(_ point: Point) {
    from = Point(min(from.x, point.x), min(from.y, point.y))
    to = Point(max(to.x, point.x), max(to.y, point.y))
  }
}
