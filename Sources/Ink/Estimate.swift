/// What is known about the hand at a knot from all reports up to it: where it was and how fast, and how
/// far that can be trusted.
///
/// The hand's acceleration is taken for white noise and the panel's error for another (Kalman 1960,
/// "Wiener velocity model"; with no error this is the cubic spline through the reports in time, see
/// Wahba, "Spline Models for Observational Data", 1990, ch. 1). Both axes share one covariance. Time is
/// in ticks of 10 ms, so that all the numbers are near one.
struct Estimate: BitwiseCopyable, Sendable {
  private(set) var motion: Motion
  /// The error's variance.
  private(set) var echo = Echo(0, 0, 0)

  /// At the first report of a stroke: ink starts exactly there.
  init(at report: Point) { motion = Motion(report, .zero) }

  /// At the second report: the first difference is all that is known of the velocity.
  init(second report: Point, after way: Point, _ step: Step, error: Float, agility: Float) {
    motion = Motion(report, way * step.rate)
    let slope = error * step.rate
    echo = Echo(error, slope, slope * step.rate + agility * step.ticks / 3)
  }

  /// Goes on to the next report, and says what was new in it. `error` is the variance of the panel's
  /// position in mm², `agility` the hand's spectral density of acceleration in mm²/tick³.
  @inline(__always)
  mutating func advance(
    to report: Point, after step: Step, error: Float, agility: Float
  ) -> News {
    let h = step.ticks
    let grown = echo.after(h)
    let (known, drift) = (grown.x + h * grown.y, agility * (h * h * h * (1 / 3)))
    // The variance of what is expected.
    let pp = known + drift
    let pv = grown.y + agility * (h * h * 0.5)
    let vv = echo.vv + agility * h
    let trust = 1 / ((known + error) + drift)
    let expected = motion.position + motion.velocity * h
    let news = News(
      after: h, surprise: (report - expected) * trust, rest: error * trust, slope: pv * trust)
    motion = Motion(expected + news.surprise * pp, motion.velocity + news.surprise * pv)
    echo = Echo(pp * news.rest, pv * news.rest, vv - pv * news.slope)
    return news
  }
}
