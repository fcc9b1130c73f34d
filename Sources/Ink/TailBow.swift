/// The tail's shape: the one cubic that leaves finalised ink as fast as the hand did, passes the knot
/// between in time and ends at the newest report.
///
/// A cubic Hermite curve solved for its last tangent; near the ends the knot says nothing about it.
struct TailBow {
  /// The time of the whole curve.
  let whole: Step
  /// What the way, the knot and the first velocity each say about the last velocity.
  private let way, knot, first: Float

  @inline(__always)
  init(_ before: Step, _ after: Step) {
    whole = Step(before.ticks + after.ticks)
    let s = min(max(before.ticks * whole.rate, 0.3), 0.7)
    // The Hermite basis at s is s²(3 − 2s) of the way, s(1 − s)² of the first and −s²(1 − s) of the last
    // tangent; all are divided by the last.
    let rest = 1 - s
    let inverse = 1 / (s * rest)
    let scale = whole.rate * inverse
    first = inverse * rest * rest
    knot = scale * inverse * rest
    way = scale * s * (3 - 2 * s)
  }

  /// The velocity at the end of `way`, with the knot `off` its start.
  @inline(__always)
  func lastVelocity(_ way: Point, _ off: Point, after first: Point) -> Point {
    first * self.first + (way * self.way - off * knot)
  }

  /// The same at the start of a curve, which has no bend: the first velocity is 1.5 of the mean less
  /// half of the last.
  func lastVelocity(_ way: Point, _ off: Point) -> Point {
    let half = 1 / (1 + 0.5 * first)
    return (way * (1.5 * first * whole.rate + self.way) - off * knot) * half
  }
}
