/// Paraph's own model, named after the order and direction in which a hand forms its strokes.
///
/// The line goes where the hand went: through the reports, as a cubic spline in *time* (hands are
/// smooth in time even where their lines are not), once the panel's error has been measured and taken
/// out. A knot becomes final two knots later; what is younger is the tail. Reports that come faster
/// than 6 ms after one another share a knot, so that ink is the same at 60 and at 500 Hz.
struct Ductus: Sendable {
  /// The first report; all else is counted from here, so that ink is the same wherever it lies.
  var origin = Point.zero
  /// How many knots there are since the stroke began or was interrupted.
  var count = 0
  /// The newest knots; the hand is at `current` or has just left it.
  var current = Knot(report: .zero, pressure: -1)
  var previous = Knot(report: .zero, pressure: -1)
  /// From the reports up to the newest knot, and up to the one before.
  private var estimate = Estimate(at: .zero)
  private(set) var before = Estimate(at: .zero)
  /// The hand's motion at `previous` as `current` corrected it, and what the next report will teach.
  private(set) var corrected = Motion.none
  private var echo = Echo(0, 0, 0)
  /// The newest report.
  var latest = Point.zero
  var pressure: Float = -1
  private var noise = PanelNoise()
  private var agility = HandAgility()
  private var clock = ReportClock(0)
  var shared = SharedKnot()
  /// Where finalised ink ends.
  var anchor: Node
  var law: WidthLaw { anchor.law }

  init(_ law: WidthLaw) {
    anchor = Node(at: .zero, pressure: -1, law: law)
  }

  /// The next report. The tail reaches up to `ahead` ticks into the future.
  mutating func extend(to sample: Sample, ahead: Float, into ink: inout StrokeInk) {
    guard count > 0 else { return begin(at: sample, into: &ink) }
    let place = sample.position - origin
    // A report twice is one report.
    if place == latest && clock.stands(at: sample.time) { return }
    var elapsed = clock.advance(to: sample.time)
    if elapsed > ReportClock.gap {
      if count > 1 { interrupt(into: &ink) }
      elapsed = ReportClock.gap
    }
    latest = place
    pressure = sample.pressure
    ink.provisional.removeAll()
    if count > 1 && shared.admits(after: elapsed, period: clock.period) {
      join(after: elapsed)
      drawTail(ahead: ahead, into: &ink)
    } else {
      open(after: elapsed, ahead: ahead, into: &ink)
    }
  }

  /// The stroke is over: the tail, as it is without a prediction, is final.
  mutating func end(into ink: inout StrokeInk) {
    if count > 1 { settle(into: &ink) } else { ink.finaliseTail() }
    count = 0
  }

  @inline(never)
  private mutating func begin(at sample: Sample, into ink: inout StrokeInk) {
    self = Ductus(law)
    origin = sample.position
    clock = ReportClock(sample.time)
    pressure = sample.pressure
    count = 1
    current.pressure = pressure
    anchor.pressure = pressure
    ink.provisional.removeAll()
    anchor.drawDot(from: origin, into: &ink.provisional)
  }

  /// Ink is never bent across a gap: what there is becomes final, and a new curve starts where it
  /// ends, at the same pace.
  @inline(never)
  private mutating func interrupt(into ink: inout StrokeInk) {
    settle(into: &ink)
    anchor.pause()
    count = 1
    current = Knot(report: latest, pressure: pressure)
    estimate = Estimate(at: latest)
    shared = SharedKnot()
  }

  /// A new knot; the one before the last becomes final.
  ///
  /// A sample takes as long as its longest chain of sums: from the time since the last report by way of
  /// `agility` to what is new in it, on to the node and to the edges of its ink. What is known before is
  /// worked out beside that chain, and what is only learned for later comes last.
  @inline(__always)
  private mutating func open(after elapsed: Float, ahead: Float, into ink: inout StrokeInk) {
    let step = Step(shared.open(latest, after: elapsed))
    let way = latest - current.report
    agility.learn(way, step, error: noise.measured)
    let (error, density) = (noise.variance, agility.density)
    before = estimate
    let older = previous
    previous = current
    count += 1
    current = Knot(report: latest, step: step, pressure: pressure)
    guard count > 2 else {
      estimate = Estimate(
        second: latest, after: way, step, error: error, agility: density)
      noise.learn(step: way, interval: step.ticks)
      return drawTail(ahead: ahead, into: &ink)
    }
    let news = estimate.advance(to: latest, after: step, error: error, agility: density)
    let motion = older.near(corrected + echo.change(by: news))
    correct(by: news)
    if count > 3 {
      draw(
        to: motion, at: older, tail: TailBow(previous.step, step), ahead: ahead, into: &ink)
    } else {
      drawTail(ahead: ahead, into: &ink)
    }
    noise.learn(step: way, interval: step.ticks)
  }

  /// Another report of the newest knot.
  @inline(never)
  private mutating func join(after elapsed: Float) {
    let report = shared.join(latest, after: elapsed, noise: noise.measured)
    let step = Step(shared.interval)
    current = Knot(report: report, step: step, pressure: pressure)
    guard count > 2 else {
      estimate = Estimate(
        second: report, after: report - previous.report, step, error: noise.variance,
        agility: agility.density)
      return
    }
    estimate = before
    correct(
      by: estimate.advance(
        to: report, after: step, error: noise.variance, agility: agility.density))
  }

  @inline(__always)
  private mutating func correct(by news: News) {
    corrected = before.motion + before.echo.change(by: news)
    echo = before.echo.heard(news)
  }
}
