/// A stretch of time between two knots, with what all who look at it divide by.
struct Step: BitwiseCopyable, Sendable {
  /// In ticks of 10 ms; and its inverse.
  let ticks: Float
  let rate: Float
  /// What a low-pass of 20 ms still remembers after it: e⁻ˣ (Padé 2/2), so that two short steps
  /// equal one long one and the report rate does not show.
  let memory: Float

  @inline(__always)
  init(_ ticks: Float) {
    self.ticks = ticks
    rate = 1 / ticks
    let x = min(ticks * 0.5, 3.4)
    let even = 1 + x * x * (1 / 12)
    let odd = 0.5 * x
    memory = (even - odd) / (even + odd)
  }

  /// A step after another.
  @inline(__always)
  init(_ first: Step, _ second: Step) {
    ticks = first.ticks + second.ticks
    rate = 1 / ticks
    memory = first.memory * second.memory
  }

  /// No time.
  static let none = Step(none: ())

  private init(none: Void) {
    ticks = 0
    rate = 0
    memory = 1
  }
}
