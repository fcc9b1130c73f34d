/// The hand's position and velocity, or a change of both.
///
/// Millimetres from the stroke's origin, and millimetres per tick.
struct Motion: BitwiseCopyable, Sendable {
  var position: Point
  var velocity: Point

  static var zero: Motion { Motion(.zero, .zero) }

  @inline(__always)
  init(_ position: Point, _ velocity: Point) {
    self.position = position
    self.velocity = velocity
  }

  @inline(__always)
  static func + (a: Motion, b: Motion) -> Motion {
    Motion(a.position + b.position, a.velocity + b.velocity)
  }
}

/// A sample that the line follows, or several that were coalesced.
struct Knot: BitwiseCopyable, Sendable {
  /// The farthest that ink may lie from a measured position, in millimetres.
  private static let tolerance: Float = 0.24

  /// The measured position in millimetres from the stroke's origin.
  var measured: Point
  /// The time since the previous knot.
  var step = Step.zero
  /// 0…1, or negative.
  var pressure: Float

  /// Returns `motion` with its position moved to within 0.24 mm of the measured one.
  ///
  /// Otherwise ink would visibly jump under the finger when it is finalised.
  @inline(__always)
  func limited(_ motion: Motion) -> Motion {
    let offset = motion.position - measured
    let square = offset.dot(offset)
    guard square > Knot.tolerance * Knot.tolerance else { return motion }
    return Motion(measured + offset * (Knot.tolerance / square.squareRoot()), motion.velocity)
  }
}

/// A Kalman filter's estimate of the hand's motion at the newest knot.
///
/// The hand's acceleration and the panel's error are modelled as white noise (Kalman 1960, "Wiener
/// velocity model"). Without an error the result is the cubic spline through the samples in time (Wahba,
/// "Spline Models for Observational Data", 1990, ch. 1). Both axes share one covariance. Time is in ticks
/// of 10 ms, so that all numbers are near 1.
struct Estimate: BitwiseCopyable, Sendable {
  private(set) var motion: Motion
  /// The covariance of the estimate's own error.
  private(set) var covariance = LagCovariance(0, 0, 0)

  /// The estimate at a stroke's first sample, where ink starts exactly.
  init(at measured: Point) { motion = Motion(measured, .zero) }

  /// The estimate at the second sample, whose velocity is the first difference.
  init(
    second measured: Point, after displacement: Point, _ step: Step, variance: Float,
    density: Float
  ) {
    motion = Motion(measured, displacement * step.rate)
    let pv = variance * step.rate
    covariance = LagCovariance(variance, pv, pv * step.rate + density * step.ticks / 3)
  }

  /// Predicts the motion after `step` and corrects it by the measured position.
  ///
  /// - Parameters:
  ///   - variance: The variance of the measured position, in mm².
  ///   - density: The spectral density of the hand's acceleration, in mm²/tick³.
  @inline(__always)
  mutating func advance(
    to measured: Point, after step: Step, variance: Float, density: Float
  ) -> Innovation {
    let h = step.ticks
    let propagated = covariance.propagated(h)
    let (known, drift) = (propagated.x + h * propagated.y, density * (h * h * h * (1 / 3)))
    // The predicted covariance.
    let pp = known + drift
    let pv = propagated.y + density * (h * h * 0.5)
    let vv = covariance.vv + density * h
    let inverse = 1 / ((known + variance) + drift)
    let predicted = motion.position + motion.velocity * h
    let innovation = Innovation(
      ticks: h, normalised: (measured - predicted) * inverse, remainder: variance * inverse,
      velocityGain: pv * inverse)
    motion = Motion(
      predicted + innovation.normalised * pp, motion.velocity + innovation.normalised * pv)
    covariance = LagCovariance(
      pp * innovation.remainder, pv * innovation.remainder, vv - pv * innovation.velocityGain)
    return innovation
  }
}

/// The difference between a measured and a predicted position, with its gains.
struct Innovation {
  /// The time since the previous knot.
  let ticks: Float
  /// The difference divided by its variance.
  let normalised: Point
  /// The part of a position error that remains after the correction.
  let remainder: Float
  /// The part of a position error that the correction adds to the velocity.
  let velocityGain: Float

  @inline(__always)
  init(ticks: Float, normalised: Point, remainder: Float, velocityGain: Float) {
    (self.ticks, self.normalised) = (ticks, normalised)
    (self.remainder, self.velocityGain) = (remainder, velocityGain)
  }
}

/// Cross-covariance of a knot's error and the newest knot's error.
///
/// It says how much a later sample corrects the knot: a fixed-lag smoother (Anderson and Moore, "Optimal
/// Filtering", 1979, ch. 7). At the newest knot itself it is the covariance of that knot's error.
struct LagCovariance: BitwiseCopyable, Sendable {
  /// Covariances of the knot's position and velocity with the newest position, then of both with
  /// the newest velocity.
  ///
  /// One vector, stored and copied at once: separate stores would delay the next sample's load.
  private var elements: SIMD4<Float>

  @inline(__always)
  init(_ pp: Float, _ pv: Float, _ vv: Float) { elements = SIMD4(pp, pv, pv, vv) }

  @inline(__always)
  private init(_ elements: SIMD4<Float>) { self.elements = elements }

  var vv: Float { @inline(__always) get { elements.w } }

  /// The covariance with the position some ticks later.
  @inline(__always)
  func propagated(_ ticks: Float) -> SIMD2<Float> { elements.lowHalf + elements.highHalf * ticks }

  /// How much an innovation corrects the knot's motion.
  @inline(__always)
  func correction(by innovation: Innovation) -> Motion {
    let propagated = propagated(innovation.ticks)
    return Motion(innovation.normalised * propagated.x, innovation.normalised * propagated.y)
  }

  /// The covariance after an innovation.
  @inline(__always)
  func updated(by innovation: Innovation) -> LagCovariance {
    let propagated = propagated(innovation.ticks)
    return LagCovariance(
      SIMD4(
        lowHalf: propagated * innovation.remainder,
        highHalf: elements.highHalf - propagated * innovation.velocityGain))
  }
}

/// The hand's acceleration between two samples: the filter's process noise.
///
/// Its spectral density in mm²/tick³ is large for a flourish of the arm and small for a careful name.
struct ProcessNoise: BitwiseCopyable, Sendable {
  /// An ordinary signature: 50 000 mm²/s³.
  private static let ordinary: Float = 0.05
  /// The limit for a jump across the glass, so that no arithmetic overflows.
  private static let limit: Float = 1e5
  /// The weight of a new sample in the mean.
  private static let weight: Float = 0.2

  private var mean: Float = 0
  /// The velocity over the previous step, in mm per tick, and that step's rate.
  private var velocity = Point.zero
  private var rate: Float = 0

  /// The density, at least a tenth of an ordinary hand's.
  private(set) var density = ProcessNoise.ordinary

  /// Learns from a displacement over a step; `variance` is the panel's error variance in mm².
  @inline(__always)
  mutating func learn(_ displacement: Point, _ step: Step, variance: Float) {
    let change = displacement - velocity * step.ticks
    let before = rate
    (velocity, rate) = (displacement * step.rate, step.rate)
    guard before > 0 else { return }
    // Divides by the cube of the mean step; the mean of the reciprocals is close enough.
    let scale = 0.375 * ProcessNoise.weight * before * step.rate * (before + step.rate)
    let sample = max(change.dot(change) - 12 * variance, 0) * scale
    let most = min(3 * mean + ProcessNoise.ordinary, ProcessNoise.limit)
    mean = (1 - ProcessNoise.weight) * mean + min(sample, ProcessNoise.weight * most)
    density = max(mean, ProcessNoise.ordinary * 0.1)
  }
}

/// The panel's position error: the filter's measurement noise.
///
/// A hand's path is smooth over five samples of 10 ms, a panel's error is not: fourth differences amplify
/// the error by √70 and cancel most of the hand's motion. Only the component across the direction of
/// motion counts, as a late time stamp shifts samples along it. The mean limits each new value, as sharp
/// turns are not noise.
struct MeasurementNoise: BitwiseCopyable, Sendable {
  /// The error variance in mm² before five samples were seen: that of a good panel.
  private static let initial: Float = 0.036 * 0.036
  /// The error variance of the worst finger panels, whose error is 0.25 mm.
  private static let worst: Float = 0.25 * 0.25
  /// The largest error variance that is not filtered.
  ///
  /// 0.023 mm, a seventh of a pixel at 160 dpi, are invisible.
  private static let invisible: Float = 0.023 * 0.023
  /// The factor by which the filter overestimates the error, which makes ink smoother.
  private static let caution: Float = 7

  /// The measured error variance of one coordinate, in mm².
  private(set) var measured = MeasurementNoise.initial
  private var seen: Float = 0
  private var steady = 0
  private var interval: Float = 0
  /// The previous displacement in the low half, the one before it in the high half.
  private var displacements = SIMD4<Float>.zero
  /// The displacement before those.
  private var third = Point.zero

  /// The variance of a sample's position for the filter, in mm².
  ///
  /// A longer step contains more of the hand's motion, so that less of the measured error is used:
  /// a twelfth at 60 samples per second, none at 50.
  @inline(__always)
  var variance: Float {
    let share = min(max(1.75 - interval, 0), 1)
    return MeasurementNoise.caution * max(measured * share - MeasurementNoise.invisible, 1e-6)
  }

  /// Learns from the displacement between two samples; ignores differences across missing samples.
  @inline(__always)
  mutating func learn(_ displacement: Point, interval h: Float) {
    let even = h < 1.4 * interval && interval < 1.4 * h
    steady = even ? steady &+ 1 : 0
    interval = h
    let (first, second) = (displacements.lowHalf, displacements.highHalf)
    if steady >= 3 {
      let (outer, inner) = (displacement - third, first - second)
      learn(
        difference: outer - 3 * inner, along: (displacement + third) + (first + second),
        gain: 1 / 70)
    } else if steady == 2 {
      learn(
        difference: (displacement - first) - (first - second),
        along: displacement + first + second, gain: 1 / 20)
    }
    displacements = SIMD4(lowHalf: displacement, highHalf: first)
    third = second
  }

  @inline(__always)
  private mutating func learn(difference: Point, along direction: Point, gain: Float) {
    let across = direction.x * difference.y - direction.y * difference.x
    let length = direction.dot(direction)
    let square =
      length > 1e-9 ? across * across / length : difference.dot(difference) * 0.5
    let sample = square * gain
    seen += 1
    let weight = seen < 15 ? 1 / (seen + 3.4) : 0.055
    let mean = measured + weight * (min(sample, 5.8 * measured) - measured)
    measured = min(max(mean, 1e-6), MeasurementNoise.worst)
  }
}
