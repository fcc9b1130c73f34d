/// The four shapes, each widened by the published outline stroke.
extension UberSignature {
  /// A control line across the stroke, from its left end to its right end.
  private typealias Across = (start: Point, end: Point)

  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot:
      path.circle(
        around: segment.p0.position, diameter: segment.p0.weight + outlineStroke)
    case .line: line(segment.p0, segment.p1, into: &path)
    case .quad: quad(segment.p0, segment.p1, segment.p2, into: &path)
    case .cubic: cubic(segment, into: &path)
    }
  }

  static func line(_ p0: WeightedPoint, _ p1: WeightedPoint, into path: inout Path) {
    let a = perpendicular(at: p0, from: p0, to: p1)
    let b = perpendicular(at: p1, from: p0, to: p1)
    path.move(to: a.start)
    path.line(to: b.start)
    path.line(to: b.end)
    path.line(to: a.end)
  }

  private static func quad(
    _ p0: WeightedPoint, _ p1: WeightedPoint, _ p2: WeightedPoint, into path: inout Path
  ) {
    let a = perpendicular(at: p0, from: p0, to: p1)
    let b = averaged(at: p1, from: p0, to: p2)
    let c = perpendicular(at: p2, from: p1, to: p2)
    path.move(to: a.start)
    path.quad(b.start, to: c.start)
    path.line(to: c.end)
    path.quad(b.end, to: a.end)
  }

  private static func cubic(_ segment: Segment, into path: inout Path) {
    let a = perpendicular(at: segment.p0, from: segment.p0, to: segment.p1)
    let b = averaged(at: segment.p1, from: segment.p0, to: segment.p2)
    let c = averaged(at: segment.p2, from: segment.p1, to: segment.p3)
    let d = perpendicular(at: segment.p3, from: segment.p2, to: segment.p3)
    path.move(to: a.start)
    path.cubic(b.start, c.start, to: d.start)
    path.line(to: d.end)
    path.cubic(c.end, b.end, to: a.end)
  }

  /// The line through `point`, as long as its weight, square to the way from `from` to `to`. It
  /// collapses to the point where there is no way.
  private static func perpendicular(
    at point: WeightedPoint, from: WeightedPoint, to: WeightedPoint
  ) -> Across {
    let way = to.position - from.position
    let length = way.length
    guard length > 0, point.weight > 0 else { return (point.position, point.position) }
    let half = Point(way.y, -way.x) * ((point.weight + outlineStroke) / (2 * length))
    return (point.position + half, point.position - half)
  }

  /// The mean of the two perpendiculars at a turn: it shrinks by the cosine of half the turn, which
  /// is where the published ink is pinched.
  private static func averaged(
    at point: WeightedPoint, from: WeightedPoint, to: WeightedPoint
  ) -> Across {
    let before = perpendicular(at: point, from: from, to: point)
    let after = perpendicular(at: point, from: point, to: to)
    return ((before.start + after.start) / 2, (before.end + after.end) / 2)
  }
}
