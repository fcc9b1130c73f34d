extension VelocityStrip {
  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line: strip(segment, pieces: 1, into: &path)
    case .quad, .cubic: strip(segment, pieces: pieces(of: segment), into: &path)
    }
  }

  /// The strip of straight pieces, along one edge and back along the other.
  private static func strip(_ segment: Segment, pieces: Int, into path: inout Path) {
    path.move(to: segment.p0.position + segment.startEdge)
    for index in 1..<pieces {
      path.line(to: side(of: segment, at: Float(index) / Float(pieces), 1))
    }
    path.line(to: segment.end.position + segment.endEdge)
    path.line(to: segment.end.position - segment.endEdge)
    for index in 1..<pieces {
      path.line(to: side(of: segment, at: 1 - Float(index) / Float(pieces), -1))
    }
    path.line(to: segment.p0.position - segment.startEdge)
  }

  /// The published number, from the distance between the two touches whose middle is the end; no
  /// more than a path has room for.
  private static func pieces(of segment: Segment) -> Int {
    let distance = 2 * (segment.p2.position - segment.p1.position).length
    let pieces = distance / (UberSignature.pointSize * stripLength)
    // In this order, what is no number is one piece.
    return Int(min(max(1, pieces), 100))
  }

  private static func side(of segment: Segment, at t: Float, _ sign: Float) -> Point {
    let point = segment.point(at: t)
    return point.position + half(point, normal(of: segment, at: t)) * sign
  }

  private static func half(_ point: WeightedPoint, _ normal: Point) -> Point {
    normal * (point.weight / 2)
  }

  /// To the left of the way at `t`; zero where the segment goes nowhere.
  static func normal(of segment: Segment, at t: Float) -> Point {
    let (p0, p1, p2) = (segment.p0.position, segment.p1.position, segment.p2.position)
    var way = (p1 - p0) * (1 - t) + (p2 - p1) * t
    // The first curve's control point is its start, a line's is its end, and a cusp stands still.
    if way == .zero { way = p2 - p0 }
    let length = way.length
    return length > 0 ? Point(way.y, -way.x) / length : .zero
  }
}
