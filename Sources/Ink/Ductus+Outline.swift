/// The closed shapes of the model's segments. All run the same way round, so that a path of several
/// is filled as their union.
extension Ductus {
  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot where segment.isCap: cap(segment, into: &path)
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line: capsule(segment, into: &path)
    case .quad, .cubic: band(segment, into: &path)
    }
  }

  /// Two parallel curves at the distance that the weights say, each with handles scaled as its chord
  /// is (Tiller and Hanson 1984), and straight joint edges.
  private static func band(_ segment: Segment, into path: inout Path) {
    // The first edge in the low half, the second in the high.
    let (p0, p3) = (segment.p0.position, segment.p3.position)
    let start = sides(segment.startNormal)
    let end = sides(segment.endNormal)
    let chord = p3 - p0
    let edge = end.lowHalf * segment.p3.weight - start.lowHalf * segment.p0.weight
    let stretch = (edge * chord).sum() / max((chord * chord).sum(), 1e-12)
    let reach = SIMD4(1 + stretch, 1 + stretch, 1 - stretch, 1 - stretch)
    let (first, last) = (Motion.both(p0), Motion.both(p3))
    path.strip(
      first + start * segment.p0.weight,
      first + start * segment.p1.weight + Motion.both(segment.p1.position - p0) * reach,
      last + end * segment.p2.weight + Motion.both(segment.p2.position - p3) * reach,
      last + end * segment.p3.weight)
  }

  /// Half a normal to both sides.
  @inline(__always)
  private static func sides(_ normal: Point) -> SIMD4<Float> {
    Motion.both(normal) * SIMD4(0.5, 0.5, -0.5, -0.5)
  }

  private static func cap(_ segment: Segment, into path: inout Path) {
    let centre = segment.p0.position
    let radius = segment.startNormal * 0.5 * segment.p0.weight
    path.move(to: centre + radius)
    halfDisc(around: centre, from: radius, into: &path)
  }

  /// A line with round ends.
  private static func capsule(_ segment: Segment, into path: inout Path) {
    let (p0, p3) = (segment.p0.position, segment.p3.position)
    let normal = Node.normal(of: p3 - p0) ?? Point(0, -1)
    let start = normal * (segment.p0.weight * 0.5)
    let end = normal * (segment.p3.weight * 0.5)
    path.move(to: p0 + start)
    path.line(to: p3 + end)
    halfDisc(around: p3, from: end, into: &path)
    path.line(to: p0 - start)
    halfDisc(around: p0, from: -start, into: &path)
  }

  /// Half a circle by way of the point that lies to the right of `radius`.
  private static func halfDisc(around centre: Point, from radius: Point, into path: inout Path) {
    let k: Float = 0.5522847
    let tip = radius.normal
    path.cubic(centre + radius + tip * k, centre + tip + radius * k, to: centre + tip)
    path.cubic(centre + tip - radius * k, centre - radius + tip * k, to: centre - radius)
  }
}
