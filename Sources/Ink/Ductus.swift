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
  var current = Knot(at: .zero, pressure: -1)
  var previous = Knot(at: .zero, pressure: -1)
  /// Where the newest knot was reported.
  private var report = Point.zero
  /// The newest report.
  var latest = Point.zero
  var pressure: Float = -1
  private var noise = PanelNoise()
  private var agility = HandAgility()
  private var clock = ReportClock(0)
  var shared = SharedKnot()
  /// Where finalised ink ends.
  var anchor = Node(at: .zero, pressure: -1)

  init() {}

  /// The next report. The tail reaches up to `ahead` ticks into the future.
  mutating func extend(to sample: Sample, ahead: Float, into ink: inout StrokeInk) {
    guard count > 0 else { return begin(at: sample, into: &ink) }
    let place = sample.position - origin
    // A report twice is one report.
    if place == latest && clock.stands(at: sample.time) { return }
    let elapsed = clock.advance(to: sample.time)
    if elapsed > ReportClock.gap && count > 1 { interrupt(into: &ink) }
    latest = place
    pressure = sample.pressure
    if count > 1 && shared.admits(after: elapsed, period: clock.period) {
      join(after: elapsed, ahead: ahead, into: &ink)
    } else {
      open(after: min(elapsed, ReportClock.gap), ahead: ahead, into: &ink)
    }
  }

  /// The stroke is over: the tail, as it is without a prediction, is final.
  mutating func end(into ink: inout StrokeInk) {
    if count > 1 { settle(into: &ink) } else { ink.finaliseTail() }
    count = 0
  }

  private mutating func begin(at sample: Sample, into ink: inout StrokeInk) {
    self = Ductus()
    origin = sample.position
    clock = ReportClock(sample.time)
    pressure = sample.pressure
    current = Knot(at: .zero, pressure: pressure)
    anchor = Node(at: .zero, pressure: pressure)
    count = 1
    ink.provisional.removeAll()
    drawDot(anchor, into: &ink.provisional)
  }

  /// Ink is never bent across a gap: what there is becomes final, and a new curve starts where it
  /// ends, at the same pace.
  private mutating func interrupt(into ink: inout StrokeInk) {
    settle(into: &ink)
    anchor.pause()
    current = Knot(at: latest, pressure: pressure)
    report = latest
    shared = SharedKnot()
    count = 1
  }

  /// A new knot; the one before the last becomes final.
  @inline(__always)
  private mutating func open(after elapsed: Float, ahead: Float, into ink: inout StrokeInk) {
    shared.open(latest, after: elapsed)
    let older = previous
    var last = current
    let way = latest - report
    let step = Step(shared.interval)
    report = latest
    count += 1
    agility.learn(way, step, error: noise.measured)
    let knot = knot(at: latest, after: &last, step)
    noise.learn(step: way, interval: step.ticks)
    previous = last
    current = knot
    var node = anchor
    ink.provisional.removeAll()
    guard count > 2 else {
      drawTip(from: node, step, ahead: ahead, into: &ink)
      return
    }
    let move = last.moved(by: knot.surprise)
    let motion = last.state + move
    if count > 3 {
      let final = older.near(older.state + older.moved(by: last.surprise + move))
      if draw(final, older, by: motion, last.step, step, ahead: ahead, into: &ink) { return }
      node.draw(
        to: final, after: older.step, pressure: older.pressure, from: origin, into: &ink.finalised)
      anchor = node
    }
    node.draw(
      toTip: latest, after: step, by: motion, after: last.step, pressure: pressure, from: origin,
      into: &ink.provisional)
    finishTail(at: &node, ahead: ahead, into: &ink)
  }

  private mutating func join(after elapsed: Float, ahead: Float, into ink: inout StrokeInk) {
    report = shared.join(latest, after: elapsed, noise: noise.measured)
    current = knot(at: report, after: &previous, Step(shared.interval))
    ink.provisional.removeAll()
    var node = anchor
    let step = Step(shared.interval + shared.since)
    guard count > 2 else { return drawTip(from: node, step, ahead: ahead, into: &ink) }
    node.draw(
      toTip: latest, after: step, by: previous.state + previous.moved(by: current.surprise),
      after: previous.step, pressure: pressure, from: origin, into: &ink.provisional)
    finishTail(at: &node, ahead: ahead, into: &ink)
  }

  @inline(__always)
  private func knot(at place: Point, after last: inout Knot, _ step: Step) -> Knot {
    count > 2
      ? Knot(
        place, after: &last, step, pressure: pressure, error: noise.variance,
        agility: agility.density)
      : Knot(
        second: place, after: last, step, pressure: pressure, error: noise.variance,
        agility: agility.density)
  }
}
