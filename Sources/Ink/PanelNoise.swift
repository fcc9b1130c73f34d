/// How much the panel trembles, told from how much the hand moves.
///
/// A hand's path is smooth over five reports of 10 ms, a panel's error is not: fourth differences
/// lift the error by √70 and leave little of the hand. They are taken across the way, where a report
/// that is stamped a little late does no harm, and averaged with a limit, as sharp turns are not noise.
struct PanelNoise: BitwiseCopyable, Sendable {
  /// A good panel's error in mm²: what is believed before five reports have been seen.
  private static let usual: Float = 0.036 * 0.036
  /// No finger panel is worse than 0.25 mm.
  private static let worst: Float = 0.25 * 0.25
  /// Below 0.023 mm, a sixth of a pixel at 160 dpi, error does not show and is left in the ink.
  private static let invisible: Float = 0.023 * 0.023
  /// Ink is calm when the error is taken for somewhat more than it is.
  private static let caution: Float = 7

  /// Mean square error of one coordinate, mm².
  private var square = PanelNoise.usual
  private var seen: Float = 0
  private var steady = 0
  private var interval: Float = 0
  /// The three steps before: the last in the low half, the one before in the high.
  private var steps = SIMD4<Float>.zero
  private var third = Point.zero

  /// Learns from the step between two reports. Differences mean nothing where reports are missing.
  @inline(__always)
  mutating func learn(step: Point, interval h: Float) {
    let even = h < 1.4 * interval && interval < 1.4 * h
    steady = even ? steady &+ 1 : 0
    interval = h
    let (first, second) = (steps.lowHalf, steps.highHalf)
    if steady >= 3 {
      let (outer, inner) = (step - third, first - second)
      learn(outer - 3 * inner, along: (step + third) + (first + second), gain: 1 / 70)
    } else if steady == 2 {
      learn((step - first) - (first - second), along: step + first + second, gain: 1 / 20)
    }
    steps = SIMD4(lowHalf: step, highHalf: first)
    third = second
  }

  /// What the filter shall take for the variance of a report, in mm². In longer steps more of a
  /// difference is hand: at 60 reports a second a twelfth is left of it, at 50 nothing.
  @inline(__always)
  var variance: Float {
    let share = min(max(1.75 - interval, 0), 1)
    return PanelNoise.caution * max(square * share - PanelNoise.invisible, 1e-6)
  }

  /// Mean square error of one coordinate as measured, mm².
  var measured: Float { square }

  @inline(__always)
  private mutating func learn(_ difference: Point, along way: Point, gain: Float) {
    let across = way.x * difference.y - way.y * difference.x
    let length = way.dot(way)
    let square =
      length > 1e-9 ? across * across / length : difference.dot(difference) * 0.5
    let sample = square * gain
    seen += 1
    let weight = seen < 15 ? 1 / (seen + 3.4) : 0.055
    let mean = self.square + weight * (min(sample, 5.8 * self.square) - self.square)
    self.square = min(max(mean, 1e-6), PanelNoise.worst)
  }
}
