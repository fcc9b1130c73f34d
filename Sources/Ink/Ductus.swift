/// Paraph's own model, named after the order and direction in which a hand forms its strokes.
///
/// The line goes where the hand went: through the reports, as a cubic spline in *time* (hands are
/// smooth in time even where their lines are not), once the panel's error has been measured and taken
/// out. A knot becomes final two knots later; what is younger is the tail. Reports that come faster
/// than 6 ms after one another share a knot, so that ink is the same at 60 and at 500 Hz.
struct Ductus: Sendable {
  /// The first report; all else is counted from here, so that ink is the same wherever it lies.
  private(set) var origin = Point.zero
  /// How many knots there are since the stroke began or was interrupted.
  private(set) var count = 0
  /// The newest knots; the hand is at `current` or has just left it.
  private var current = Knot(at: .zero, pressure: -1)
  private(set) var previous = Knot(at: .zero, pressure: -1)
  /// Where the newest knot was reported.
  private var report = Point.zero
  /// The newest report.
  private(set) var latest = Point.zero
  private var pressure: Float = -1
  private var noise = PanelNoise()
  private var agility = HandAgility()
  private var clock = ReportClock(0)
  private(set) var shared = SharedKnot()
  /// Where finalised ink ends.
  private var anchor = Node(at: .zero, pressure: -1)

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
    agility.learn(step: way, step, error: noise.measured)
    noise.learn(step: way, interval: step.ticks)
    count += 1
    let knot = knot(at: latest, after: &last, step)
    previous = last
    current = knot
    var node = anchor
    ink.provisional.removeAll()
    guard count > 2 else {
      drawTip(from: node, step, ahead: ahead, into: &ink)
      return
    }
    let motion = last.smoothed(by: knot, knot.state)
    if count > 3 {
      node.draw(
        to: older.smoothed(by: last, motion), after: older.step, pressure: older.pressure,
        from: origin, into: &ink.finalised)
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
      toTip: latest, after: step, by: previous.smoothed(by: current, current.state),
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

  /// The tail becomes final: through the last knot but one to the last report, each a curve of its
  /// own.
  private mutating func settle(into ink: inout StrokeInk) {
    ink.provisional.removeAll()
    if count > 2 {
      anchor.draw(
        to: previous.smoothed(by: current, current.state), after: previous.step,
        pressure: previous.pressure, from: origin, into: &ink.finalised)
    }
    anchor.draw(
      toTip: latest, after: Step(shared.interval + shared.since), pressure: pressure, from: origin,
      into: &ink.finalised)
    finish(anchor, into: &ink.finalised)
  }

  private func drawTip(
    from last: Node, _ step: Step, ahead: Float, into ink: inout StrokeInk
  ) {
    var node = last
    node.draw(
      toTip: latest, after: step, pressure: pressure, from: origin, into: &ink.provisional)
    finishTail(at: &node, ahead: ahead, into: &ink)
  }

  @inline(__always)
  private func finishTail(at node: inout Node, ahead: Float, into ink: inout StrokeInk) {
    if ahead > 0 { drawPrediction(from: &node, ahead: ahead, into: &ink) }
    finish(node, into: &ink.provisional)
  }

  /// Rounds off the end; a stroke that went nowhere is a dot.
  @inline(__always)
  private func finish(_ node: Node, into ink: inout RigidArray<Segment>) {
    if node.isStart { drawDot(node, into: &ink) } else { node.drawCap(from: origin, into: &ink) }
  }

  @inline(never)
  private func drawDot(_ node: Node, into ink: inout RigidArray<Segment>) {
    ink.append(Segment(dot: WeightedPoint(origin + node.position, weight: node.weight)))
  }
}
