/// What is drawn for a report: a final piece, and a tail to where the hand is.
extension Ductus {
  /// A final piece to a knot that the hand passed, and the tail from there. Both are worked out before
  /// either is asked whether it is too sharp: where the processor guesses that wrong, it begins again with
  /// what comes after the question.
  @inline(__always)
  mutating func draw(
    to motion: Motion, at knot: Knot, tail bow: TailBow, ahead: Float, into ink: inout StrokeInk
  ) {
    let (way, rest) = (motion.position - anchor.position, latest - motion.position)
    // The usual case: the hand is on its way, so that there are a final piece and a tail to draw.
    if anchor.phase == .way, way.dot(way) >= Node.least, rest.dot(rest) > 1e-12 {
      let piece = Piece(
        from: anchor,
        to: Piece.Arrival(
          position: motion.position, velocity: motion.velocity, step: knot.step,
          pressure: knot.pressure), origin: origin)
      let tail = Piece(
        from: piece.end,
        to: Piece.Arrival(
          position: latest,
          velocity: bow.lastVelocity(
            rest, corrected.position - motion.position, after: motion.velocity),
          step: bow.whole, pressure: pressure), origin: origin, isTail: true)
      anchor = piece.end
      piece.draw(into: &ink.finalised)
      if ahead > 0 {
        tail.draw(into: &ink.provisional)
        finishTail(at: tail.end, ahead: ahead, into: &ink)
      } else {
        tail.drawTail(by: origin + corrected.position, into: &ink.provisional)
      }
    } else {
      anchor.draw(
        to: motion, after: knot.step, pressure: knot.pressure, from: origin, into: &ink.finalised)
      drawTail(ahead: ahead, into: &ink)
    }
  }

  /// The tail becomes final: through the last knot but one to the last report, each a curve of its
  /// own.
  mutating func settle(into ink: inout StrokeInk) {
    ink.provisional.removeAll()
    if count > 2 {
      anchor.draw(
        to: previous.near(corrected), after: previous.step, pressure: previous.pressure,
        from: origin, into: &ink.finalised)
    }
    anchor.draw(
      toTip: latest, after: Step(shared.interval + shared.since), pressure: pressure, from: origin,
      into: &ink.finalised)
    anchor.finish(from: origin, into: &ink.finalised)
  }

  /// From where finalised ink ends, by way of the knot between if there is one.
  @inline(never)
  mutating func drawTail(ahead: Float, into ink: inout StrokeInk) {
    var node = anchor
    let step = Step(shared.interval + shared.since)
    if count > 2 {
      node.draw(
        toTip: latest, after: step, by: corrected, after: previous.step, pressure: pressure,
        from: origin, isTail: true, into: &ink.provisional)
    } else {
      node.draw(
        toTip: latest, after: step, pressure: pressure, from: origin, isTail: true,
        into: &ink.provisional)
    }
    finishTail(at: node, ahead: ahead, into: &ink)
  }

  private func finishTail(at node: Node, ahead: Float, into ink: inout StrokeInk) {
    var node = node
    if ahead > 0 { drawPrediction(from: &node, ahead: ahead, into: &ink) }
    node.finish(from: origin, into: &ink.provisional)
  }
}
