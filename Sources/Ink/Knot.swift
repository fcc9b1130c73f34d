/// What is known about the hand at one report: where it was and how fast, and how far that can be
/// trusted.
///
/// The hand's acceleration is taken for white noise and the panel's error for another (Kalman 1960,
/// "Wiener velocity model"; with no error this is the cubic spline through the reports in time, see
/// Wahba, "Spline Models for Observational Data", 1990, ch. 1). Both axes share one covariance. Time is
/// in ticks of 10 ms, so that all the numbers are near one.
struct Knot: BitwiseCopyable, Sendable {
  /// The time since the knot before.
  var step = Step(1)
  /// 0…1, or negative.
  var pressure: Float
  /// From all reports up to this one.
  var state: Motion
  /// From the reports before this one.
  private var expected: Motion
  /// Variances of position and velocity, and their covariance.
  private var pp: Float = 0, pv: Float = 0, vv: Float = 0
  /// How a surprise at the next knot moves this one (Rauch, Tung, Striebel 1965): by its part in
  /// position, and by its part in velocity.
  private var gainP = SIMD4<Float>.zero, gainV = SIMD4<Float>.zero

  /// The first report of a stroke: ink starts exactly there.
  init(at position: Point, pressure: Float) {
    state = Motion(position, .zero)
    expected = state
    self.pressure = pressure
  }

  /// The second report: the first difference is all that is known of the velocity.
  init(
    second position: Point, after first: Knot, _ step: Step, pressure: Float, error: Float,
    agility: Float
  ) {
    self.step = step
    self.pressure = pressure
    state = Motion(position, (position - first.state.position) * step.rate)
    expected = state
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
    let lift = last.pp + h * last.pv
    let drift = last.pv + h * last.vv
    let qh = agility * h
    let a = lift + h * (drift + qh * h * (1 / 3))
    let b = drift + qh * h * 0.5
    let c = last.vv + qh
    let scale = 1 / (a * c - b * b)
    let trust = 1 / (a + error)
    last.gainP = Motion.gains((lift * c - last.pv * b) * scale, (drift * c - last.vv * b) * scale)
    last.gainV = Motion.gains((last.pv * a - lift * b) * scale, (last.vv * a - drift * b) * scale)
    self.step = step
    self.pressure = pressure
    expected = last.state.after(h)
    let surprise = report - expected.position
    state = Motion(
      expected.numbers
        + Motion.both(surprise) * Motion.gains(a * trust, b * trust))
    pp = a * error * trust
    pv = b * error * trust
    vv = c - b * b * trust
  }

  /// This knot in the light of the next one, whose own best state is given.
  @inline(__always)
  func smoothed(by next: Knot, _ best: Motion) -> Motion {
    let off = Motion(best.numbers - next.expected.numbers)
    return Motion(
      state.numbers + Motion.both(off.position) * gainP + Motion.both(off.velocity) * gainV)
  }
}
