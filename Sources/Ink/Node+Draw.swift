/// A node draws the ink from itself to the next and becomes that one.
extension Node {
  /// Steps below 0.01 mm are not drawn but added to the next: they have no direction.
  private static let least: Float = 0.01 * 0.01

  /// To a place that the hand passed, a `step` after this node's.
  @inline(__always)
  mutating func draw(
    to motion: Motion, after step: Step, pressure: Float, from origin: Point,
    into ink: inout RigidArray<Segment>
  ) {
    let way = motion.position - position
    guard (way * way).sum() >= Node.least else { return rest(step) }
    draw(way, motion.velocity, spent(step), pressure, origin, &ink)
  }

  /// To the newest report, where ink has to end; without any bend at the end, as a natural spline.
  mutating func draw(
    toTip tip: Point, after step: Step, pressure: Float, from origin: Point,
    into ink: inout RigidArray<Segment>
  ) {
    let way = tip - position
    guard (way * way).sum() > 1e-12 else { return }
    let step = spent(step)
    let mean = way * step.rate
    let velocity = isStart ? mean : mean * 1.5 - tangent * (speed * 0.5)
    draw(way, velocity, step, pressure, origin, &ink)
  }

  /// To the newest report by way of a knot between: the one cubic that leaves this node as fast as
  /// the hand did and passes the knot in time.
  @inline(__always)
  mutating func draw(
    toTip tip: Point, after step: Step, by knot: Motion, after first: Step, pressure: Float,
    from origin: Point, into ink: inout RigidArray<Segment>
  ) {
    let way = tip - position
    guard (way * way).sum() > 1e-12 else { return }
    let first = spent(first)
    let whole = Step(first, step)
    // A cubic Hermite curve solved for its last tangent; near its ends the knot says nothing of it.
    let s = min(max(first.ticks * whole.rate, 0.3), 0.7)
    let off = (knot.position - position) * whole.rate - way * (s * s * (3 - 2 * s) * whole.rate)
    let (early, late) = (s * (1 - s) * (1 - s), s * s * (1 - s))
    // At a start there is no bend: the first velocity is 1.5 of the mean less half of the last.
    let velocity =
      isStart
      ? (way * (1.5 * early * whole.rate) - off) / (0.5 * early + late)
      : (tangent * (speed * early) - off) * (1 / late)
    draw(way, velocity, whole, pressure, origin, &ink)
  }

  /// The round end of the ink at this node.
  @inline(__always)
  func drawCap(from origin: Point, into ink: inout RigidArray<Segment>) {
    ink.append(Segment(capAt: WeightedPoint(origin + position, weight: weight), normal: normal))
  }

  @inline(__always)
  private func spent(_ step: Step) -> Step { stay.ticks > 0 ? Step(stay, step) : step }

  @inline(never)
  private mutating func begin(
    towards velocity: Point, mean: Float, from origin: Point, into ink: inout RigidArray<Segment>
  ) {
    start(towards: velocity, mean: mean)
    ink.append(Segment(capAt: WeightedPoint(origin + position, weight: weight), normal: -normal))
  }

  @inline(__always)
  private mutating func draw(
    _ way: Point, _ velocity: Point, _ step: Step, _ pressure: Float, _ origin: Point,
    _ ink: inout RigidArray<Segment>
  ) {
    let length = way.length
    let middle = length * step.rate
    if isStart {
      begin(
        towards: way * (step.rate * 1.5) - velocity * 0.5, mean: middle, from: origin, into: &ink)
    }
    var next = self
    next.position = position + way
    next.phase = .way
    next.stay = .none
    next.speed = velocity.length
    if next.speed > 1e-4 {
      next.normal = Point(velocity.y, -velocity.x) * (1 / next.speed)
    } else if let normal = Node.normal(of: way) {
      next.normal = normal
    }
    // Simpson's rule over the cubic's speed, with the chord's in the middle.
    let mean = (4 * middle + speed + next.speed) * (1 / 6)
    next.pace = mean + (pace - mean) * step.memory
    next.pressure = pressure + (self.pressure - pressure) * step.memory
    let width = WidthLaw.width(pace: next.pace, pressure: next.pressure)
    // Ink widens and narrows by no more than a millimetre on a millimetre.
    next.weight = min(max(width, weight - length), weight + length)

    // Handles are at most as long as the chord: time between reports may be wrong, and a curve that
    // believes it would swing out.
    let third = step.ticks * (1 / 3)
    let out = tangent * min(speed * third, length)
    let back = next.tangent * min(next.speed * third, length)
    let swell = (next.weight - weight) * (1 / 3)
    let (first, last) = (origin + position, origin + next.position)
    let segment = Segment(
      WeightedPoint(first, weight: weight), WeightedPoint(first + out, weight: weight + swell),
      WeightedPoint(last - back, weight: next.weight - swell),
      WeightedPoint(last, weight: next.weight), normals: normal, next.normal)
    if segment.isGentle { ink.append(segment) } else { segment.appendHalves(to: &ink) }
    self = next
  }
}
