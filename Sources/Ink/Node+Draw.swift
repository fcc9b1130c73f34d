/// A node draws the ink from itself to the next and becomes that one.
extension Node {
  /// Steps below 0.01 mm are not drawn but added to the next: they have no direction.
  static let least: Float = 0.01 * 0.01

  /// To a place that the hand passed, a `step` after this node's.
  mutating func draw(
    to motion: Motion, after step: Step, pressure: Float, from origin: Point,
    into ink: inout RigidArray<Segment>
  ) {
    let way = motion.position - position
    guard (way * way).sum() >= Node.least else { return rest(step) }
    draw(way, motion.velocity, spent(step), pressure, origin, isTail: false, &ink)
  }

  /// To the newest report, where ink has to end; without any bend at the end, as a natural spline.
  mutating func draw(
    toTip tip: Point, after step: Step, pressure: Float, from origin: Point,
    isTail: Bool = false, into ink: inout RigidArray<Segment>
  ) {
    let way = tip - position
    guard (way * way).sum() > 1e-12 else { return }
    let step = spent(step)
    let mean = way * step.rate
    let velocity = isStart ? mean : mean * 1.5 - tangent * (speed * 0.5)
    draw(way, velocity, step, pressure, origin, isTail: isTail, &ink)
  }

  /// To the newest report by way of a knot between.
  mutating func draw(
    toTip tip: Point, after step: Step, by knot: Motion, after first: Step, pressure: Float,
    from origin: Point, isTail: Bool, into ink: inout RigidArray<Segment>
  ) {
    let way = tip - position
    guard (way * way).sum() > 1e-12 else { return }
    let bow = TailBow(spent(first), step)
    let off = knot.position - position
    let velocity =
      isStart ? bow.lastVelocity(way, off) : bow.lastVelocity(way, off, after: tangent * speed)
    draw(way, velocity, bow.whole, pressure, origin, isTail: isTail, &ink)
  }

  /// The round end of the ink at this node.
  @inline(__always)
  func drawCap(from origin: Point, into ink: inout RigidArray<Segment>) {
    ink.append(Segment(capAt: WeightedPoint(origin + position, weight: weight), edge: edge))
  }

  @inline(never)
  func drawDot(from origin: Point, into ink: inout RigidArray<Segment>) {
    ink.append(Segment(dot: WeightedPoint(origin + position, weight: weight)))
  }

  /// Rounds off the end; a stroke that went nowhere is a dot.
  func finish(from origin: Point, into ink: inout RigidArray<Segment>) {
    if isStart { drawDot(from: origin, into: &ink) } else { drawCap(from: origin, into: &ink) }
  }

  @inline(__always)
  private func spent(_ step: Step) -> Step { stay.ticks > 0 ? Step(stay, step) : step }

  @inline(never)
  private mutating func begin(
    towards velocity: Point, mean: Float, from origin: Point, into ink: inout RigidArray<Segment>
  ) {
    start(towards: velocity, mean: mean)
    ink.append(Segment(capAt: WeightedPoint(origin + position, weight: weight), edge: -edge))
  }

  private mutating func draw(
    _ way: Point, _ velocity: Point, _ step: Step, _ pressure: Float, _ origin: Point,
    isTail: Bool, _ ink: inout RigidArray<Segment>
  ) {
    if isStart {
      begin(
        towards: way * (step.rate * 1.5) - velocity * 0.5, mean: way.length * step.rate,
        from: origin, into: &ink)
    }
    let arrival = Piece.Arrival(
      position: position + way, velocity: velocity, step: step, pressure: pressure)
    let piece = Piece(from: self, to: arrival, origin: origin, isTail: isTail)
    piece.draw(into: &ink)
    self = piece.end
  }
}
