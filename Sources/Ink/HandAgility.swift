/// How hard the hand accelerates: the spectral density that the filter takes for granted between two
/// reports, in mm²/tick³. Large for a flourish of the arm, small for a careful name.
struct HandAgility: BitwiseCopyable, Sendable {
  /// 50 000 mm²/s³: an ordinary signature.
  private static let ordinary: Float = 0.05

  /// A jump across the glass between two reports, so that no arithmetic overflows.
  private static let greatest: Float = 1e5

  private var mean: Float = 0
  private var weight: Float = 0.2
  private var rate: Float = 0
  private var velocity = Point.zero

  /// The density, never below a tenth of an ordinary hand's.
  private(set) var density = HandAgility.ordinary

  /// Learns from a step that followed another; `error` is the panel's mean square error.
  @inline(__always)
  mutating func learn(step way: Point, _ step: Step, error: Float) {
    let next = way * step.rate
    let change = (next - velocity) * step.ticks
    let before = rate
    velocity = next
    rate = step.rate
    guard before > 0 else { return }
    let square = max((change * change).sum() * 0.5 - 6 * error, 0)
    // The steps' mean, cubed: of the inverses it is near enough.
    let sample = 0.75 * square * before * step.rate * (before + step.rate)
    mean += weight * (min(sample, 3 * mean + HandAgility.ordinary) - mean)
    weight = 0.2
    mean = min(mean, HandAgility.greatest)
    density = max(mean, HandAgility.ordinary * 0.1)
  }
}
