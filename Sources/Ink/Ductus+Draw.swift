/// What is drawn for a report: a final piece, and a tail to where the hand is.
extension Ductus {
  /// The usual case: the hand is on its way, so that there are a final piece and a tail to draw.
  /// Returns false, and has done nothing, if it is not.
  @inline(__always)
  mutating func draw(
    _ final: Motion, _ knot: Knot, by motion: Motion, _ before: Step, _ step: Step, ahead: Float,
    into ink: inout StrokeInk
  ) -> Bool {
    let (way, rest) = (final.position - anchor.position, latest - final.position)
    guard anchor.phase == .way, (way * way).sum() >= Node.least, (rest * rest).sum() > 1e-12
    else { return false }
    let bow = TailBow(before, step)
    let couplet = Couplet(
      from: anchor,
      to: Couplet.Arrival(
        position: final.position, velocity: final.velocity, step: knot.step, pressure: knot.pressure
      ),
      and: Couplet.Arrival(
        position: latest,
        velocity: bow.lastVelocity(rest, motion.position - final.position, after: final.velocity),
        step: bow.whole, pressure: pressure),
      origin: origin)
    couplet.drawFirst(into: &ink.finalised)
    couplet.drawSecond(into: &ink.provisional)
    var end = couplet.end
    finishTail(at: &end, ahead: ahead, into: &ink)
    anchor = couplet.middle
    return true
  }

  /// The tail becomes final: through the last knot but one to the last report, each a curve of its
  /// own.
  mutating func settle(into ink: inout StrokeInk) {
    ink.provisional.removeAll()
    if count > 2 {
      anchor.draw(
        to: previous.near(previous.state + previous.moved(by: current.surprise)),
        after: previous.step,
        pressure: previous.pressure, from: origin, into: &ink.finalised)
    }
    anchor.draw(
      toTip: latest, after: Step(shared.interval + shared.since), pressure: pressure, from: origin,
      into: &ink.finalised)
    finish(anchor, into: &ink.finalised)
  }

  func drawTip(
    from last: Node, _ step: Step, ahead: Float, into ink: inout StrokeInk
  ) {
    var node = last
    node.draw(
      toTip: latest, after: step, pressure: pressure, from: origin, into: &ink.provisional)
    finishTail(at: &node, ahead: ahead, into: &ink)
  }

  @inline(__always)
  func finishTail(at node: inout Node, ahead: Float, into ink: inout StrokeInk) {
    if ahead > 0 { drawPrediction(from: &node, ahead: ahead, into: &ink) }
    finish(node, into: &ink.provisional)
  }

  /// Rounds off the end; a stroke that went nowhere is a dot.
  @inline(__always)
  private func finish(_ node: Node, into ink: inout RigidArray<Segment>) {
    if node.isStart { drawDot(node, into: &ink) } else { node.drawCap(from: origin, into: &ink) }
  }

  @inline(never)
  func drawDot(_ node: Node, into ink: inout RigidArray<Segment>) {
    ink.append(Segment(dot: WeightedPoint(origin + node.position, weight: node.weight)))
  }
}
