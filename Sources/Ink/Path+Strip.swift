/// The contours that ink of the default model is made of, each added at once.
extension Path {
  /// A cubic edge's two ends, or its two handles: the first in the low half.
  typealias Two = SIMD4<Float>

  /// Between two cubic edges, with straight ends: forth on the left one and back on the right.
  @inline(__always)
  mutating func strip(_ left: Two, _ leftHandles: Two, _ right: Two, _ rightHandles: Two) {
    append(
      contour: (Verb.move, Verb.cubic, Verb.line, Verb.cubic),
      (
        left.lowHalf, leftHandles.lowHalf, leftHandles.highHalf, left.highHalf,
        right.highHalf, rightHandles.highHalf, rightHandles.lowHalf, right.lowHalf
      ))
  }

  /// The same, with half a disc `around` the end.
  @inline(__always)
  mutating func roundStrip(
    _ left: Two, _ leftHandles: Two, _ right: Two, _ rightHandles: Two, around end: Point
  ) {
    let radius = left.highHalf - end
    let arc = HalfCircle(around: end, from: radius, ahead: radius.normal)
    append(
      contour: (Verb.move, Verb.cubic, Verb.cubic, Verb.cubic, Verb.cubic),
      (
        left.lowHalf, leftHandles.lowHalf, leftHandles.highHalf, left.highHalf,
        arc.first, arc.second, arc.tip, arc.third, arc.fourth, right.highHalf,
        rightHandles.highHalf, rightHandles.lowHalf, right.lowHalf
      ))
  }

  /// Half a disc to the right of `radius`.
  @inline(__always)
  mutating func halfDisc(around centre: Point, from radius: Point) {
    let arc = HalfCircle(around: centre, from: radius, ahead: radius.normal)
    append(
      contour: (Verb.move, Verb.cubic, Verb.cubic),
      (
        arc.start, arc.first, arc.second, arc.tip, arc.third, arc.fourth, arc.end
      ))
  }

  /// Between two half discs: `from` and `to` are the radii to the left of the way.
  @inline(__always)
  mutating func capsule(_ start: Point, _ end: Point, from: Point, to: Point) {
    // Both ends at once: the one that the way leads to in the low half.
    let arcs = HalfCircle(
      around: Two(lowHalf: end, highHalf: start), from: Two(lowHalf: to, highHalf: -from),
      ahead: Two(lowHalf: to.normal, highHalf: from.left))
    append(
      contour: (Verb.move, Verb.line, Verb.cubic, Verb.cubic, Verb.line, Verb.cubic, Verb.cubic),
      (
        arcs.end.highHalf, arcs.start.lowHalf,
        arcs.first.lowHalf, arcs.second.lowHalf, arcs.tip.lowHalf,
        arcs.third.lowHalf, arcs.fourth.lowHalf, arcs.end.lowHalf,
        arcs.start.highHalf,
        arcs.first.highHalf, arcs.second.highHalf, arcs.tip.highHalf,
        arcs.third.highHalf, arcs.fourth.highHalf, arcs.end.highHalf
      ))
  }
}

/// Half a circle of two cubic arcs, by way of the tip that lies to the right of its first radius; or two of them
/// at once, in both halves of a vector.
private struct HalfCircle<Place: SIMD> where Place.Scalar == Float {
  let start, first, second, tip, third, fourth, end: Place

  /// `ahead` is the radius to the tip.
  @inline(__always)
  init(around centre: Place, from radius: Place, ahead: Place) {
    // 4/3·(√2 − 1), see `circle`.
    let (shorter, handle) = (radius * 0.5522847, ahead * 0.5522847)
    (start, tip, end) = (centre + radius, centre + ahead, centre - radius)
    (first, second) = (start + handle, tip + shorter)
    (third, fourth) = (tip - shorter, end + handle)
  }
}
