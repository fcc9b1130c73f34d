extension Path {
  /// A straight piece with butt ends, as wide at each end as its point; nothing where both coincide.
  mutating func ribbon(_ p0: WeightedPoint, _ p1: WeightedPoint) {
    let way = p1.position - p0.position
    let length = way.length
    guard length > 0 else { return }
    let across = Point(way.y, -way.x) / (2 * length)
    move(to: p0.position + across * p0.weight)
    line(to: p1.position + across * p1.weight)
    line(to: p1.position - across * p1.weight)
    line(to: p0.position - across * p0.weight)
  }
}
