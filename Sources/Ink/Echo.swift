/// How the error at a knot goes together with the error of what is expected at a later time: what a
/// later report teaches about the knot (a fixed-lag smoother; Anderson and Moore, "Optimal Filtering",
/// 1979, ch. 7). At the newest knot it is the covariance of its own error.
struct Echo: BitwiseCopyable, Sendable {
  /// The knot's position and velocity against the position at the newest knot, and against the velocity
  /// there; in one vector, see `Step`.
  private var numbers: SIMD4<Float>

  @inline(__always)
  init(_ pp: Float, _ pv: Float, _ vv: Float) { numbers = SIMD4(pp, pv, pv, vv) }

  @inline(__always)
  private init(_ numbers: SIMD4<Float>) { self.numbers = numbers }

  var vv: Float { @inline(__always) get { numbers.w } }

  /// Against the position some ticks later.
  @inline(__always)
  func after(_ ticks: Float) -> SIMD2<Float> { numbers.lowHalf + numbers.highHalf * ticks }

  /// What a report changes at the knot.
  @inline(__always)
  func change(by news: News) -> Motion {
    let grown = after(news.ticks)
    return Motion(news.surprise * grown.x, news.surprise * grown.y)
  }

  /// When that report has been taken in.
  @inline(__always)
  func heard(_ news: News) -> Echo {
    let grown = after(news.ticks)
    return Echo(
      SIMD4(lowHalf: grown * news.rest, highHalf: numbers.highHalf - grown * news.slope))
  }
}

/// What was new in a report.
struct News {
  /// The time since the knot before.
  let ticks: Float
  /// How far the report was off, over the variance of that.
  let surprise: Point
  /// The parts of an error that are left, and that went from position to velocity.
  let rest, slope: Float

  @inline(__always)
  init(after ticks: Float, surprise: Point, rest: Float, slope: Float) {
    (self.ticks, self.surprise, self.rest, self.slope) = (ticks, surprise, rest, slope)
  }
}
