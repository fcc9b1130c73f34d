/// How hard the hand accelerates: the spectral density that the filter takes for granted between two
/// reports, in mm²/tick³. Large for a flourish of the arm, small for a careful name.
struct HandAgility: BitwiseCopyable, Sendable {
  /// 50 000 mm²/s³: an ordinary signature.
  private static let ordinary: Float = 0.05

  /// A jump across the glass between two reports, so that no arithmetic overflows.
  private static let greatest: Float = 1e5

  /// Of a new sample in the mean.
  private static let weight: Float = 0.2

  private var mean: Float = 0
  /// Over the way before, in mm per tick, and the inverse of its time.
  private var velocity = Point.zero
  private var rate: Float = 0

  /// The density, never below a tenth of an ordinary hand's.
  private(set) var density = HandAgility.ordinary

  /// Learns from a way that followed another; `error` is the panel's mean square error.
  @inline(__always)
  mutating func learn(_ way: Point, _ step: Step, error: Float) {
    let change = way - velocity * step.ticks
    let before = rate
    (velocity, rate) = (way * step.rate, step.rate)
    guard before > 0 else { return }
    // The steps' mean, cubed: of the inverses it is near enough.
    let thickness = 0.375 * HandAgility.weight * before * step.rate * (before + step.rate)
    let share = max(change.dot(change) - 12 * error, 0) * thickness
    let most = min(3 * mean + HandAgility.ordinary, HandAgility.greatest)
    mean = (1 - HandAgility.weight) * mean + min(share, HandAgility.weight * most)
    density = max(mean, HandAgility.ordinary * 0.1)
  }
}
