/// A stretch of time between two knots, with what all who look at it divide by.
///
/// In one vector, which is stored and copied as one: the next report would have to wait for several
/// numbers to reach the cache before it could load them together.
struct Step: BitwiseCopyable, Sendable {
  private let numbers: SIMD4<Float>

  /// In ticks of 10 ms; and its inverse.
  var ticks: Float { @inline(__always) get { numbers.x } }
  var rate: Float { @inline(__always) get { numbers.y } }

  /// What a low-pass of 20 ms still remembers after it. Of a single step it is worked out where ink becomes
  /// final, a report later: made together with the inverse, both would be one division of vectors, and what waits
  /// for the inverse would wait for this too.
  var memory: Float {
    @inline(__always) get { numbers.z >= 0 ? numbers.z : Step.memory(after: ticks) }
  }

  @inline(__always)
  init(_ ticks: Float) { numbers = SIMD4(ticks, 1 / ticks, -1, 0) }

  /// A step after another.
  @inline(__always)
  init(_ first: Step, _ second: Step) {
    let ticks = first.ticks + second.ticks
    numbers = SIMD4(ticks, 1 / ticks, first.memory * second.memory, 0)
  }

  /// No time. Not a stored constant: one of a vector is made when it is first asked for, and every later
  /// use asks whether it was.
  static var none: Step { @inline(__always) get { Step(none: ()) } }

  @inline(__always)
  private init(none: Void) { numbers = SIMD4(0, 0, 1, 0) }

  /// e⁻ˣ (Padé 2/2), so that two short steps equal one long one and the report rate does not show.
  @inline(__always)
  private static func memory(after ticks: Float) -> Float {
    ticks > 2 ? longMemory(after: ticks) : pade(ticks * 0.5)
  }

  /// Beyond 20 ms the fourth power of that of a quarter. A branch that is seldom taken: no sample waits for it.
  @inline(never)
  private static func longMemory(after ticks: Float) -> Float {
    let quarter = pade(min(ticks * 0.125, 3.4))
    let square = quarter * quarter
    return square * square
  }

  @inline(__always)
  private static func pade(_ x: Float) -> Float {
    let even = 1 + x * x * (1 / 12)
    let odd = 0.5 * x
    return (even - odd) / (even + odd)
  }
}
