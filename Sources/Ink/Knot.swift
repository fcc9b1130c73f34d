/// What is known about the hand at one report: where it was and how fast, and how far that can be
/// trusted.
///
/// The hand's acceleration is taken for white noise and the panel's error for another (Kalman 1960,
/// "Wiener velocity model"; with no error this is the cubic spline through the reports in time, see
/// Wahba, "Spline Models for Observational Data", 1990, ch. 1). Both axes share one covariance. Time is
/// in ticks of 10 ms, so that all the numbers are near one.
struct Knot: BitwiseCopyable, Sendable {
  /// Millimetres by which ink may leave a report.
  private static let reach: Float = 0.24

  /// The time since the knot before.
  var step = Step(1)
  /// 0…1, or negative.
  var pressure: Float
  /// Where it was reported: millimetres from the stroke's origin.
  let report: Point
  /// From all reports up to this one.
  var state: Motion
  /// What this report changed in what was expected from those before it.
  private(set) var surprise = Motion(.zero)
  /// Variances of position and velocity, and their covariance.
  private var pp: Float = 0, pv: Float = 0, vv: Float = 0
  /// How a surprise at the next knot moves this one (Rauch, Tung, Striebel 1965): by its part in
  /// position, and by its part in velocity.
  private var gainP = SIMD4<Float>.zero, gainV = SIMD4<Float>.zero

  /// The first report of a stroke: ink starts exactly there.
  init(at position: Point, pressure: Float) {
    report = position
    state = Motion(position, .zero)
    self.pressure = pressure
  }

  /// The second report: the first difference is all that is known of the velocity.
  init(
    second position: Point, after first: Knot, _ step: Step, pressure: Float, error: Float,
    agility: Float
  ) {
    self.step = step
    self.pressure = pressure
    report = position
    state = Motion(position, (position - first.state.position) * step.rate)
    pp = error
    pv = error * step.rate
    vv = error * step.rate * step.rate + agility * step.ticks / 3
  }

  /// Any further report. `error` is the variance of the panel's position in mm², `agility` the hand's
  /// spectral density of acceleration in mm²/tick³.
  @inline(__always)
  init(
    _ report: Point, after last: inout Knot, _ step: Step, pressure: Float, error: Float,
    agility: Float
  ) {
    let h = step.ticks
    let drift = last.pv + h * last.vv
    let lift = last.pp + h * last.pv
    let a = (lift + h * drift) + agility * (h * h * h * (1 / 3))
    let b = drift + agility * (h * h * 0.5)
    let c = last.vv + agility * h
    let scale = 1 / (a * c - b * b)
    let trust = 1 / (a + error)
    last.gainP = Motion.gains((lift * c - last.pv * b) * scale, (drift * c - last.vv * b) * scale)
    last.gainV = Motion.gains((last.pv * a - lift * b) * scale, (last.vv * a - drift * b) * scale)
    self.step = step
    self.pressure = pressure
    self.report = report
    let expected = last.state.after(h)
    surprise = Motion(
      Motion.both(report - expected.position) * Motion.gains(a * trust, b * trust))
    state = Motion(expected.numbers + surprise.numbers)
    pp = a * error * trust
    pv = b * error * trust
    vv = c - b * b * trust
  }

  /// A better state of this knot, no farther than 0.24 mm from where it was reported: ink shall not jump
  /// under the finger when it becomes final.
  @inline(__always)
  func near(_ better: Motion) -> Motion {
    let off = better.position - report
    let square = (off * off).sum()
    guard square > Knot.reach * Knot.reach else { return better }
    return Motion(report + off * (Knot.reach / square.squareRoot()), better.velocity)
  }

  /// How the next knot's `surprise`, its own and what it learned from later ones, moves this one.
  @inline(__always)
  func moved(by surprise: Motion) -> Motion {
    Motion(Motion.both(surprise.position) * gainP + Motion.both(surprise.velocity) * gainV)
  }
}

extension Motion {
  /// The sum of two, as of a state and what moves it.
  @inline(__always)
  static func + (a: Motion, b: Motion) -> Motion { Motion(a.numbers + b.numbers) }
}
