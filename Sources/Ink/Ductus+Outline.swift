/// The closed shapes of the model's segments. All run the same way round, so that a path of several
/// is filled as their union.
extension Ductus {
  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot where segment.isCap:
      path.halfDisc(
        around: segment.p0.position, from: segment.startEdge)
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line: capsule(segment, into: &path)
    case .quad, .cubic: band(segment, into: &path)
    }
  }

  /// Two parallel curves at the distance that the weights say, each with handles scaled as its chord
  /// is (Tiller and Hanson 1984), and straight joint edges.
  private static func band(_ segment: Segment, into path: inout Path) {
    let (p0, p3) = (segment.p0.position, segment.p3.position)
    let (start, end) = (segment.startEdge, segment.endEdge)
    let chord = p3 - p0
    let stretch = ((end - start) * chord).sum() / max((chord * chord).sum(), 1e-12)
    let out = segment.p1.position - p0
    let back = segment.p2.position - p3
    path.strip(
      (p0 + start, p0 + start + out * (1 + stretch), p3 + end + back * (1 + stretch), p3 + end),
      (p0 - start, p0 - start + out * (1 - stretch), p3 - end + back * (1 - stretch), p3 - end))
  }

  /// A line with round ends.
  private static func capsule(_ segment: Segment, into path: inout Path) {
    let (p0, p3) = (segment.p0.position, segment.p3.position)
    let normal = Node.normal(of: p3 - p0) ?? Point(0, -1)
    let start = normal * (segment.p0.weight * 0.5)
    let end = normal * (segment.p3.weight * 0.5)
    path.move(to: p0 + start)
    path.line(to: p3 + end)
    halfCircle(around: p3, from: end, into: &path)
    path.line(to: p0 - start)
    halfCircle(around: p0, from: -start, into: &path)
  }

  /// Half a circle by way of the point that lies to the right of `radius`.
  private static func halfCircle(around centre: Point, from radius: Point, into path: inout Path) {
    let k: Float = 0.5522847
    let tip = radius.normal
    path.cubic(centre + radius + tip * k, centre + tip + radius * k, to: centre + tip)
    path.cubic(centre + tip - radius * k, centre - radius + tip * k, to: centre - radius)
  }
}
