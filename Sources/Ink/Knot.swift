/// A report that the line is made to follow, or several that came so soon after one another that they
/// share a knot.
struct Knot: BitwiseCopyable, Sendable {
  /// Millimetres by which ink may leave a report.
  private static let reach: Float = 0.24

  /// Where it was reported: millimetres from the stroke's origin.
  var report: Point
  /// The time since the knot before.
  var step = Step.none
  /// 0…1, or negative.
  var pressure: Float

  /// The hand's `motion` here, no farther than 0.24 mm from where it was reported: ink shall not jump
  /// under the finger when it becomes final.
  @inline(__always)
  func near(_ motion: Motion) -> Motion {
    let off = motion.position - report
    let square = off.dot(off)
    guard square > Knot.reach * Knot.reach else { return motion }
    return Motion(report + off * (Knot.reach / square.squareRoot()), motion.velocity)
  }
}
