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
    let arc = HalfCircle(around: end, from: left.highHalf - end)
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
    let arc = HalfCircle(around: centre, from: radius)
    append(
      contour: (Verb.move, Verb.cubic, Verb.cubic),
      (
        centre + radius, arc.first, arc.second, arc.tip, arc.third, arc.fourth, centre - radius
      ))
  }

  /// Between two half discs: `from` and `to` are the radii to the left of the way.
  @inline(__always)
  mutating func capsule(_ start: Point, _ end: Point, from: Point, to: Point) {
    let (there, back) = (HalfCircle(around: end, from: to), HalfCircle(around: start, from: -from))
    append(
      contour: (Verb.move, Verb.line, Verb.cubic, Verb.cubic, Verb.line, Verb.cubic, Verb.cubic),
      (
        start + from, end + to,
        there.first, there.second, there.tip, there.third, there.fourth, end - to,
        start - from,
        back.first, back.second, back.tip, back.third, back.fourth, start + from
      ))
  }
}

/// Half a circle of two cubic arcs, by way of the tip that lies to the right of its first radius.
private struct HalfCircle {
  let tip: Point
  /// The arcs' handles: those before the tip, and those after it.
  private let before, after: SIMD4<Float>

  var first: Point { @inline(__always) get { before.lowHalf } }
  var second: Point { @inline(__always) get { before.highHalf } }
  var third: Point { @inline(__always) get { after.lowHalf } }
  var fourth: Point { @inline(__always) get { after.highHalf } }

  @inline(__always)
  init(around centre: Point, from radius: Point) {
    let (ahead, back) = (radius.normal, -radius)
    let centres = SIMD4(lowHalf: centre, highHalf: centre)
    tip = centre + ahead
    // 4/3·(√2 − 1), see `circle`.
    before =
      centres + SIMD4(lowHalf: radius, highHalf: ahead)
      + SIMD4(lowHalf: ahead, highHalf: radius) * 0.5522847
    after =
      centres + SIMD4(lowHalf: ahead, highHalf: back)
      + SIMD4(lowHalf: back, highHalf: ahead) * 0.5522847
  }
}
