/// Paraph's own stroke model.
///
/// It is named after the order and direction in which a hand forms its strokes.
///
/// The centre line is a cubic spline in *time* through the samples, as hands move smoothly in time even
/// where their lines bend sharply. The panel's error is measured and filtered out first. A knot is
/// finalised two knots later; younger ink is the tail. Samples within 6 ms share a knot, so that ink is
/// the same at 60 and at 500 reports per second.
struct Ductus: Sendable {
  /// The longest prediction in ticks: a frame at 60 Hz.
  private static var longestPrediction: Float { 1.67 }
  /// The slowest hand that is predicted, 20 mm/s, in mm per tick.
  private static var slowestPredicted: Float { 0.2 }

  /// How wide the ink is.
  let law: WidthLaw
  /// The first sample's position. All else is relative to it, so that ink does not depend on its position.
  private var origin = Point.zero
  /// The number of knots since the stroke started or was interrupted.
  private var count = 0
  /// The newest knot; the hand is there or has just left it.
  private var current = Knot(measured: .zero, pressure: -1)
  /// The knot before.
  private var previous = Knot(measured: .zero, pressure: -1)
  /// The estimate from all samples.
  private var estimate = Estimate(at: .zero)
  /// The estimate at `previous`, from the samples up to it.
  private var before = Estimate(at: .zero)
  /// The motion at `previous` as `current` corrected it.
  private var corrected = Motion.zero
  /// The covariance by which the next sample corrects `previous`.
  private var covariance = LagCovariance(0, 0, 0)
  /// The newest sample's position.
  private var latest = Point.zero
  private var pressure: Float = -1
  private var measurementNoise = MeasurementNoise()
  private var processNoise = ProcessNoise()
  private var clock = ReportClock(0)
  private var coalescer = ReportCoalescer()
  /// The end of finalised ink.
  private var anchor: Node

  init(_ law: WidthLaw) {
    self.law = law
    anchor = Node(at: .zero, pressure: -1, law: law)
  }

  /// Adds a sample. The tail reaches up to `lookahead` ticks into the future.
  @_optimize(speed)
  mutating func extend(to sample: Sample, lookahead: Float, into ink: inout StrokeInk) {
    guard count > 0 else { return begin(at: sample, into: &ink) }
    let position = sample.position - origin
    // A repeated sample says nothing new.
    if clock.isUnchanged(at: sample.time) && position == latest { return }
    var elapsed = clock.advance(to: sample.time)
    if elapsed > ReportClock.gap {
      if count > 1 { interrupt(into: &ink) }
      elapsed = ReportClock.gap
    }
    latest = position
    pressure = sample.pressure
    ink.provisional.removeAll()
    if count > 1 && coalescer.admits(after: elapsed, period: clock.period) {
      join(after: elapsed)
      drawTail(lookahead: lookahead, into: &ink)
    } else {
      open(after: elapsed, lookahead: lookahead, into: &ink)
    }
  }

  /// Ends the stroke: finalises the tail without its prediction.
  mutating func end(into ink: inout StrokeInk) {
    if count > 1 { finaliseTail(into: &ink) } else { ink.finaliseTail() }
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

  /// Finalises the tail at a gap and starts a new curve at its end.
  @inline(never)
  private mutating func interrupt(into ink: inout StrokeInk) {
    finaliseTail(into: &ink)
    anchor.restart()
    count = 1
    current = Knot(measured: latest, pressure: pressure)
    estimate = Estimate(at: latest)
    coalescer = ReportCoalescer()
  }

  /// Adds a knot and finalises the ink up to the knot before the previous one.
  ///
  /// Latency is the critical dependency chain: from the time step by way of the process noise to
  /// the innovation, the node and the edges of its ink. Independent results are computed in
  /// parallel to that chain. Results that only later samples need are computed last.
  @inline(__always)
  private mutating func open(after elapsed: Float, lookahead: Float, into ink: inout StrokeInk) {
    let step = Step(coalescer.open(latest, after: elapsed))
    let displacement = latest - current.measured
    processNoise.learn(displacement, step, variance: measurementNoise.measured)
    let (variance, density) = (measurementNoise.variance, processNoise.density)
    before = estimate
    let older = previous
    previous = current
    count += 1
    current = Knot(measured: latest, step: step, pressure: pressure)
    guard count > 2 else {
      estimate = Estimate(
        second: latest, after: displacement, step, variance: variance, density: density)
      measurementNoise.learn(displacement, interval: step.ticks)
      return drawTail(lookahead: lookahead, into: &ink)
    }
    let innovation = estimate.advance(
      to: latest, after: step, variance: variance, density: density)
    let motion = older.limited(corrected + covariance.correction(by: innovation))
    correct(by: innovation)
    if count > 3 {
      draw(
        to: motion, at: older, tail: HermiteTail(previous.step, step), lookahead: lookahead,
        into: &ink)
    } else {
      drawTail(lookahead: lookahead, into: &ink)
    }
    measurementNoise.learn(displacement, interval: step.ticks)
  }

  /// Adds a sample to the newest knot.
  @inline(never)
  private mutating func join(after elapsed: Float) {
    let measured = coalescer.join(latest, after: elapsed, variance: measurementNoise.measured)
    let step = Step(coalescer.interval)
    let (variance, density) = (measurementNoise.variance, processNoise.density)
    current = Knot(measured: measured, step: step, pressure: pressure)
    guard count > 2 else {
      estimate = Estimate(
        second: measured, after: measured - previous.measured, step, variance: variance,
        density: density)
      return
    }
    estimate = before
    correct(by: estimate.advance(to: measured, after: step, variance: variance, density: density))
  }

  @inline(__always)
  private mutating func correct(by innovation: Innovation) {
    corrected = before.motion + before.covariance.correction(by: innovation)
    covariance = before.covariance.updated(by: innovation)
  }

  /// Whether the finalised piece is drawn before the tail is computed.
  ///
  /// Drawing first saves fewer registers, which matters more on ARM boards.
  @inline(__always)
  private static var drawsPieceFirst: Bool {
    #if arch(arm) || arch(arm64)
      true
    #else
      false
    #endif
  }

  /// Draws the finalised piece to a knot, and the tail from there.
  ///
  /// Computes both pieces before it draws either. Drawing branches on a sharp turn, and after a
  /// misprediction the processor would compute the second piece again. ARM boards draw the first
  /// piece earlier: see `drawsPieceFirst`.
  @inline(__always)
  private mutating func draw(
    to motion: Motion, at knot: Knot, tail curve: HermiteTail, lookahead: Float,
    into ink: inout StrokeInk
  ) {
    let (displacement, rest) = (motion.position - anchor.position, latest - motion.position)
    let isStep = displacement.dot(displacement) >= Node.shortestSquared
    guard isStep, anchor.phase == .moving, rest.dot(rest) > 1e-12 else {
      drawFinalised(to: motion, after: knot.step, pressure: knot.pressure, into: &ink)
      return drawTail(lookahead: lookahead, into: &ink)
    }
    // The usual case: the hand is moving.
    let piece = Piece(
      from: anchor,
      to: Node.Arrival(motion: motion, step: knot.step, pressure: knot.pressure),
      origin: origin, law: law, isTail: false)
    if Ductus.drawsPieceFirst { piece.draw(into: &ink.finalised) }
    let velocity = curve.endVelocity(
      rest, corrected.position - motion.position, after: motion.velocity)
    let tail = Piece(
      from: piece.end,
      to: Node.Arrival(motion: Motion(latest, velocity), step: curve.step, pressure: pressure),
      origin: origin, law: law, isTail: true)
    anchor = piece.end
    if !Ductus.drawsPieceFirst { piece.draw(into: &ink.finalised) }
    drawTail(tail, by: corrected.position, lookahead: lookahead, into: &ink)
  }

  /// Draws finalised ink to a knot.
  ///
  /// Lets the node rest if the step is too short to have a direction.
  private mutating func drawFinalised(
    to motion: Motion, after step: Step, pressure: Float, into ink: inout StrokeInk
  ) {
    let displacement = motion.position - anchor.position
    guard displacement.dot(displacement) >= Node.shortestSquared else { return anchor.rest(step) }
    anchor.draw(
      to: anchor.arrival(with: motion, after: step, pressure: pressure), from: origin,
      law: law, isTail: false, into: &ink.finalised)
  }

  /// Finalises the tail: one curve to the previous knot and one to the newest sample.
  private mutating func finaliseTail(into ink: inout StrokeInk) {
    ink.provisional.removeAll()
    if count > 2 {
      drawFinalised(
        to: previous.limited(corrected), after: previous.step, pressure: previous.pressure,
        into: &ink)
    }
    anchor.draw(
      to: anchor.arrival(atTip: latest, after: tipStep, pressure: pressure), from: origin,
      law: law, isTail: false, into: &ink.finalised)
    anchor.drawEnd(from: origin, into: &ink.finalised)
  }

  /// Draws the tail from the end of finalised ink, in any phase of the node there.
  @inline(never)
  private func drawTail(lookahead: Float, into ink: inout StrokeInk) {
    var node = anchor
    let arrival =
      count > 2
      ? node.arrival(
        atTip: latest, after: tipStep, by: corrected, after: previous.step, pressure: pressure)
      : node.arrival(atTip: latest, after: tipStep, pressure: pressure)
    guard
      let tail = node.piece(
        to: arrival, from: origin, law: law, isTail: true, into: &ink.provisional)
    else { return node.drawEnd(from: origin, into: &ink.provisional) }
    let knot = count > 2 ? corrected.position : (node.position + latest) * 0.5
    drawTail(tail, by: knot, lookahead: lookahead, into: &ink)
  }

  /// Draws the tail: one curve to the newest sample, with the prediction, if any, and a round end.
  @inline(__always)
  private func drawTail(
    _ tail: Piece, by knot: Point, lookahead: Float, into ink: inout StrokeInk
  ) {
    guard lookahead > 0, let displacement = predicted(min(lookahead, Ductus.longestPrediction))
    else {
      return tail.drawTail(by: origin + knot, into: &ink.provisional)
    }
    tail.draw(into: &ink.provisional)
    var node = tail.end
    node.draw(
      to: node.arrival(
        atTip: node.position + displacement,
        after: Step(min(lookahead, Ductus.longestPrediction)), pressure: node.pressure),
      from: origin, law: law, isTail: true, into: &ink.provisional)
    node.drawEnd(from: origin, into: &ink.provisional)
  }

  /// The time from the previous knot to the newest sample.
  private var tipStep: Step { Step(coalescer.interval + coalescer.lag) }

  /// The displacement in the next `lookahead` ticks.
  ///
  /// Nil while the hand is slow or turns by more than 60°. Continues the last step with half of its
  /// acceleration. Of the simple rules this one had the least error on signatures. The Kalman
  /// predictor of ink-stroke-modeler also halves the acceleration.
  ///
  /// Inlined: a call would copy the whole model for each sample, needed or not.
  @inline(__always)
  private func predicted(_ lookahead: Float) -> Point? {
    guard count > 2 else { return nil }
    let interval = max(tipStep.ticks, 0.1)
    let velocity = (latest - before.motion.position) / interval
    let earlier = before.motion.velocity
    let (speed, earlierSpeed) = (velocity.length, earlier.length)
    guard speed > Ductus.slowestPredicted, earlierSpeed > Ductus.slowestPredicted,
      velocity.dot(earlier) > 0.5 * speed * earlierSpeed
    else { return nil }
    // `velocity` is the velocity in the middle of the step, `earlier` the one at its start. Twice
    // their difference is the acceleration, of which half is used.
    let change = (velocity - earlier) / interval
    return (velocity + change * (0.5 * (interval + lookahead))) * lookahead
  }
}
