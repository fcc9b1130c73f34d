/// The four shapes, each widened by the published outline stroke.
///
/// A control line stands across the stroke at each of a segment's points, as long as the ink is wide
/// there. All of them are symmetric about their point, so half of one, a vector, says everything.
extension UberSignature {
  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line: path.ribbon(segment.p0, segment.p1)
    case .quad: quad(segment, into: &path)
    case .cubic: cubic(segment, into: &path)
    }
  }

  private static func quad(_ segment: Segment, into path: inout Path) {
    let (p0, p1, p2) = (segment.p0.position, segment.p1.position, segment.p2.position)
    let (first, second) = (across(p0, p1), across(p1, p2))
    let a = half(segment.p0, first, else: second, .zero)
    let b = half(segment.p1, (first + second) / 2, else: first, second)
    let c = half(segment.p2, second, else: first, .zero)
    path.move(to: p0 + a)
    path.quad(p1 + b, to: p2 + c)
    path.line(to: p2 - c)
    path.quad(p1 - b, to: p0 - a)
  }

  private static func cubic(_ segment: Segment, into path: inout Path) {
    let (p0, p1) = (segment.p0.position, segment.p1.position)
    let (p2, p3) = (segment.p2.position, segment.p3.position)
    let (first, second, third) = (across(p0, p1), across(p1, p2), across(p2, p3))
    let a = half(segment.p0, first, else: second, third)
    let b = half(segment.p1, (first + second) / 2, else: first, second)
    let c = half(segment.p2, (second + third) / 2, else: second, third)
    let d = half(segment.p3, third, else: second, first)
    path.move(to: p0 + a)
    path.cubic(p1 + b, p2 + c, to: p3 + d)
    path.line(to: p3 - d)
    path.cubic(p2 - c, p1 - b, to: p0 - a)
  }

  /// Of length 1 and square to the way from `from` to `to`; zero where there is no way: there the
  /// published control line collapses to its point.
  private static func across(_ from: Point, _ to: Point) -> Point {
    let way = to - from
    let length = way.length
    return length > 0 ? Point(way.y, -way.x) / length : .zero
  }

  /// Half of a control line. `direction` is the mean of the perpendiculars that meet in the point: it
  /// is shorter than 1 by the cosine of half the turn, which is where the published ink is pinched.
  ///
  /// The outline stroke lies half outside, so the line is longer by half a point at both ends, along
  /// itself; one that has collapsed lies along one of the perpendiculars that cancelled each other.
  private static func half(
    _ point: WeightedPoint, _ direction: Point, else first: Point, _ second: Point
  ) -> Point {
    let length = direction.length
    let stroke: Point
    if length > 1e-3 {
      stroke = direction / length
    } else {
      stroke = first == .zero ? second : first
    }
    return direction * ((point.weight - outlineStroke) / 2) + stroke * (outlineStroke / 2)
  }
}
