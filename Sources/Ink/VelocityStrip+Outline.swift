extension VelocityStrip {
  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line: path.ribbon(segment.p0, segment.p1)
    case .quad, .cubic: strip(segment, into: &path)
    }
  }

  /// The curve as a strip of straight pieces, along one edge and back along the other.
  private static func strip(_ segment: Segment, into path: inout Path) {
    let pieces = pieces(of: segment)
    path.move(to: edge(of: segment, at: 0, side: 1))
    for index in 1...pieces {
      path.line(to: edge(of: segment, at: Float(index) / Float(pieces), side: 1))
    }
    for index in 0...pieces {
      path.line(to: edge(of: segment, at: 1 - Float(index) / Float(pieces), side: -1))
    }
  }

  /// The published number, from the distance between the two touches whose middle is the end; no
  /// more than a path has room for.
  private static func pieces(of segment: Segment) -> Int {
    let distance = 2 * (segment.p2.position - segment.p1.position).length
    let pieces = distance / (UberSignature.pointSize * stripLength)
    return Int(min(max(pieces, 1), 100))
  }

  private static func edge(of segment: Segment, at t: Float, side: Float) -> Point {
    let (p0, p1, p2) = (segment.p0.position, segment.p1.position, segment.p2.position)
    let point = segment.point(at: t)
    let way = (p1 - p0) * (1 - t) + (p2 - p1) * t
    let length = way.length
    // The first curve's control point is its start, and a cusp stands still: both go to the end.
    let along = length > 0 ? way / length : (p2 - p0) / max((p2 - p0).length, .leastNormalMagnitude)
    return point.position + Point(along.y, -along.x) * (side * point.weight / 2)
  }
}
