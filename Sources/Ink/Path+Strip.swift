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
    // Both ends at once: the one that the way leads to in the low half.
    let ends = Two(lowHalf: end, highHalf: start)
    let radius = Two(lowHalf: to, highHalf: -from)
    let ahead = Two(lowHalf: to.normal, highHalf: from.left)
    let (shorter, handle) = (radius * HalfCircle.handle, ahead * HalfCircle.handle)
    let (out, back, tip) = (ends + radius, ends - radius, ends + ahead)
    let (first, second) = (out + handle, tip + shorter)
    let (third, fourth) = (tip - shorter, back + handle)
    append(
      contour: (Verb.move, Verb.line, Verb.cubic, Verb.cubic, Verb.line, Verb.cubic, Verb.cubic),
      (
        back.highHalf, out.lowHalf,
        first.lowHalf, second.lowHalf, tip.lowHalf, third.lowHalf, fourth.lowHalf, back.lowHalf,
        out.highHalf,
        first.highHalf, second.highHalf, tip.highHalf, third.highHalf, fourth.highHalf,
        back.highHalf
      ))
  }
}

/// Half a circle of two cubic arcs, by way of the tip that lies to the right of its first radius.
private struct HalfCircle {
  /// 4/3·(√2 − 1), see `circle`.
  static var handle: Float { 0.5522847 }

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
    before =
      centres + SIMD4(lowHalf: radius, highHalf: ahead)
      + SIMD4(lowHalf: ahead, highHalf: radius) * HalfCircle.handle
    after =
      centres + SIMD4(lowHalf: ahead, highHalf: back)
      + SIMD4(lowHalf: back, highHalf: ahead) * HalfCircle.handle
  }
}
