extension Ductus {
  /// Ink ahead of the hand, in the tail only: the last step goes on, with half of its change (of the
  /// simple rules the one that erred least on signatures; the same half as in ink-stroke-modeler's
  /// Kalman predictor). There is none while the hand is slow or turns by more than 60°.
  func drawPrediction(from node: inout Node, ahead: Float, into ink: inout StrokeInk) {
    let ahead = min(ahead, Ductus.frame)
    guard let way = predicted(ahead: ahead) else { return }
    node.draw(
      toTip: node.position + way, after: Step(ahead), pressure: node.pressure, from: origin,
      isTail: true, into: &ink.provisional)
  }

  /// No more than a frame of 60 Hz is guessed.
  private static var frame: Float { 1.67 }
  /// 20 mm/s.
  private static var slowest: Float { 0.2 }

  private func predicted(ahead: Float) -> Point? {
    guard count > 2 else { return nil }
    let interval = max(shared.interval + shared.since, 0.1)
    let velocity = (latest - before.motion.position) / interval
    let before = before.motion.velocity
    let (speed, pace) = (velocity.length, before.length)
    guard speed > Ductus.slowest, pace > Ductus.slowest,
      (velocity * before).sum() > 0.5 * speed * pace
    else { return nil }
    // `velocity` held in the middle of the step, `before` at its start: twice their difference is the
    // step's acceleration, and half of that is believed.
    let change = (velocity - before) / interval
    return (velocity + change * (0.5 * (interval + ahead))) * ahead
  }
}
