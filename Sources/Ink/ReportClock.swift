/// The time between samples, with implausible kernel stamps corrected.
struct ReportClock: BitwiseCopyable, Sendable {
  /// Nanoseconds in a tick of 10 ms, the models' unit of time.
  private static let tick: Float = 10_000_000
  /// The longest pause that ink crosses, in ticks.
  ///
  /// After 100 ms the hand may be anywhere.
  static let gap: Float = 10

  private var last: Int64
  /// The panel's usual report period, in ticks.
  private(set) var period: Float = 0.8

  init(_ time: Int64) { last = time }

  /// Converts nanoseconds to ticks; more than four seconds count as four.
  ///
  /// Of 32 bits: ARMv7 has an instruction for them and calls a function for 64.
  @inline(__always)
  static func ticks(_ nanoseconds: UInt64) -> Float {
    float(UInt32(clamping: nanoseconds)) * (1 / tick)
  }

  /// Whether `time` is that of the previous sample.
  func isUnchanged(at time: Int64) -> Bool { time == last }

  /// Returns the ticks since the previous sample.
  ///
  /// A stamp that repeats or runs backwards counts as one period. Samples that were delivered in a batch
  /// count as at least 0.6 of a period each.
  @inline(__always)
  mutating func advance(to time: Int64) -> Float {
    // The difference of two Int64 fits into UInt64: no stamp overflows it.
    let passed =
      time > last
      ? ReportClock.ticks(UInt64(bitPattern: time) &- UInt64(bitPattern: last)) : 0
    last = time
    let usual = period
    guard passed > 0 else { return usual }
    if passed < ReportClock.gap {
      period += 0.2 * (min(passed, 2 * usual) - usual)
    }
    return max(passed, max(0.6 * usual, 0.02))
  }
}

/// A time step between two knots, with its cached reciprocal.
struct Step: BitwiseCopyable, Sendable {
  /// The step's length in ticks of 10 ms, its reciprocal, and padding.
  ///
  /// One vector, stored and copied at once: separate stores delay the next sample's load. With two floats a
  /// sample takes 5 % longer, with a vector of two 3 % (measured: `Tests/Bench`).
  private let elements: SIMD4<Float>

  /// The step's length in ticks of 10 ms.
  var ticks: Float { @inline(__always) get { elements.x } }
  /// The reciprocal of `ticks`.
  var rate: Float { @inline(__always) get { elements.y } }

  /// No time.
  ///
  /// Computed, as a stored static would be checked for initialisation on each use.
  static var zero: Step { @inline(__always) get { Step(SIMD4(0, 0, 0, 0)) } }

  @inline(__always)
  init(_ ticks: Float) { self.init(SIMD4(ticks, 1 / ticks, 0, 0)) }

  @inline(__always)
  private init(_ elements: SIMD4<Float>) { self.elements = elements }

  /// Two consecutive steps as one.
  @inline(__always)
  static func + (first: Step, second: Step) -> Step { Step(first.ticks + second.ticks) }

  /// The decay of a 20 ms low-pass filter over this step.
  var decay: Float {
    @inline(__always) get { ticks > 2 ? Step.longDecay(ticks) : Step.pade(ticks * 0.5) }
  }

  /// The fourth power of a quarter's decay, for steps beyond 20 ms.
  ///
  /// Not inlined: the branch is rare, and no sample waits for it.
  @inline(never)
  private static func longDecay(_ ticks: Float) -> Float {
    let quarter = pade(min(ticks * 0.125, 3.4))
    let square = quarter * quarter
    return square * square
  }

  /// e⁻ˣ by the Padé approximant [2/2], within 0.001 for x up to 1.
  @inline(__always)
  private static func pade(_ x: Float) -> Float {
    let even = 1 + x * x * (1 / 12)
    let odd = 0.5 * x
    return (even - odd) / (even + odd)
  }
}

/// Combines the samples that a fast panel reports within 6 ms into one knot.
///
/// Ink is therefore the same at 60 and at 500 reports per second.
struct ReportCoalescer: BitwiseCopyable, Sendable {
  /// The longest time from a knot's first sample to its last, in ticks.
  private static let span: Float = 0.6
  /// The most samples of one knot.
  private static let limit: Float = 4
  /// The error variance, in mm², at which mean and last sample count equally.
  ///
  /// A noisy panel's samples are averaged; a precise panel's last sample is used.
  private static let balance: Float = 0.0004

  /// Ticks from the previous knot to this knot's first sample.
  private var opening: Float = 0
  /// Ticks from the first sample to the newest.
  private var offset: Float = 0
  private var count: Float = 0
  private var positionSum = Point.zero
  private var offsetSum: Float = 0
  /// Ticks from the knot to its newest sample.
  private(set) var lag: Float = 0

  /// Ticks from the previous knot to this one.
  @inline(__always)
  var interval: Float { opening + offset - lag }

  /// Starts a knot with a sample `elapsed` ticks after the newest.
  ///
  /// Returns the ticks since the previous knot.
  @inline(__always)
  mutating func open(_ position: Point, after elapsed: Float) -> Float {
    let interval = lag + elapsed
    opening = interval
    (offset, offsetSum, lag) = (0, 0, 0)
    positionSum = position
    count = 1
    return interval
  }

  /// Whether a sample `elapsed` ticks after the newest joins the knot.
  ///
  /// - Parameter period: The panel's report period in ticks; a slow panel never coalesces.
  func admits(after elapsed: Float, period: Float) -> Bool {
    period < ReportCoalescer.span && offset + elapsed < ReportCoalescer.span
      && count < ReportCoalescer.limit
  }

  /// Adds a sample to the knot; returns the knot's position.
  ///
  /// - Parameter variance: The panel's error variance in mm².
  mutating func join(_ position: Point, after elapsed: Float, variance: Float) -> Point {
    offset += elapsed
    offsetSum += offset
    positionSum += position
    count += 1
    let mean = variance / (variance + ReportCoalescer.balance)
    let centre = offset + mean * (offsetSum / count - offset)
    lag = offset - centre
    return position + mean * (positionSum / count - position)
  }
}
