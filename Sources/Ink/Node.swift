/// A point of the centre line where two pieces of ink meet.
///
/// Both pieces take position, direction and width from it, so that their common edge is bit-identical.
struct Node: BitwiseCopyable, Sendable {
  /// How the next piece starts.
  enum Phase: UInt8, BitwiseCopyable, Sendable {
    /// Nothing is drawn: the first step sets direction, speed and width.
    case initial
    /// A curve starts with the present speed and width: the first step sets the direction.
    case start
    /// The hand rests: it has moved by less than a drawable step.
    case resting
    /// The hand moves: the curve continues.
    case moving
  }

  /// The end of a piece: the hand's motion there, and what its width depends on.
  struct Arrival {
    var motion: Motion
    /// The time since the node.
    var step: Step
    var pressure: Float
  }

  /// Squared length of the shortest step that has a direction, 0.01 mm. Shorter steps are accumulated.
  static let shortestSquared: Float = 0.01 * 0.01

  /// Millimetres from the stroke's origin.
  var position: Point
  /// The direction of motion, of length 1.
  private(set) var tangent = Point(1, 0)
  /// Millimetres per tick.
  private(set) var speed: Float = 0
  /// The low-passed speed in millimetres per tick, which the width depends on.
  private(set) var filteredSpeed: Float = 0
  var pressure: Float
  /// The width in millimetres.
  private(set) var weight: Float
  var phase = Phase.initial
  /// The time that the hand has rested here.
  private(set) var dwell = Step.zero

  init(at position: Point, pressure: Float, law: WidthLaw) {
    self.position = position
    self.pressure = pressure
    weight = law.dot
  }

  /// The node at the end of a curve over a chord of `length`.
  @inline(__always)
  init(
    after last: Node, at a: Arrival, speed: Float, tangent: Point, length: Float, law: WidthLaw
  ) {
    let decay = a.step.decay
    // The mean speed by Simpson's rule over the cubic, with the chord's speed in the middle.
    let sixth = (1 - decay) * (1 / 6)
    position = a.motion.position
    self.tangent = tangent
    self.speed = speed
    filteredSpeed =
      (length * (4 * a.step.rate * sixth) + last.filteredSpeed * decay)
      + (last.speed + speed) * sixth
    pressure =
      a.pressure < 0 ? a.pressure : a.pressure + (last.pressure - a.pressure) * decay
    // Ink widens or narrows by at most 1 mm per millimetre.
    let width = law.width(speed: filteredSpeed, pressure: pressure)
    let least = last.weight - length
    weight = min(width > least ? width : least, last.weight + length)
    phase = .moving
  }

  /// The node at the end of a provisional piece, with the width of this node.
  ///
  /// The final width depends on samples to come.
  @inline(__always)
  func provisionalEnd(at position: Point, speed: Float, tangent: Point) -> Node {
    var end = self
    (end.position, end.speed, end.tangent) = (position, speed, tangent)
    (end.phase, end.dwell) = (.moving, .zero)
    return end
  }

  /// The vector from the centre line to the left edge.
  var edge: Point { @inline(__always) get { (tangent.left * 0.5) * weight } }

  /// Whether a curve starts here.
  var isStart: Bool { phase == .initial || phase == .start }

  /// Starts a new curve after a gap, with the present width.
  mutating func restart() {
    speed = 0
    phase = .start
    dwell = .zero
  }

  /// Records a step too short to draw. The longer the hand rests, the less its direction counts.
  mutating func rest(_ step: Step) {
    dwell = dwell + step
    if phase == .moving { phase = .resting }
    speed *= 0.5
  }

  /// The arrival at a knot that the hand has passed.
  func arrival(with motion: Motion, after step: Step, pressure: Float) -> Arrival {
    Arrival(motion: motion, step: total(step), pressure: pressure)
  }

  /// The arrival at the newest sample, with zero curvature there, as a natural spline ends.
  func arrival(atTip tip: Point, after step: Step, pressure: Float) -> Arrival {
    let step = total(step)
    let mean = (tip - position) * step.rate
    let velocity = isStart ? mean : mean * 1.5 - tangent * (speed * 0.5)
    return Arrival(motion: Motion(tip, velocity), step: step, pressure: pressure)
  }

  /// The arrival at the newest sample by way of a knot.
  func arrival(
    atTip tip: Point, after step: Step, by knot: Motion, after first: Step, pressure: Float
  ) -> Arrival {
    let tail = HermiteTail(total(first), step)
    let (displacement, offset) = (tip - position, knot.position - position)
    let velocity =
      isStart
      ? tail.naturalEndVelocity(displacement, offset)
      : tail.endVelocity(displacement, offset, after: tangent * speed)
    return Arrival(motion: Motion(tip, velocity), step: tail.step, pressure: pressure)
  }

  /// Returns the piece to an arrival, or nil if the arrival is at this node. Draws the round start
  /// of a new curve.
  mutating func piece(
    to arrival: Arrival, from origin: Point, law: WidthLaw, isTail: Bool,
    into ink: inout RigidArray<Segment>
  ) -> Piece? {
    let displacement = arrival.motion.position - position
    guard displacement.dot(displacement) > 1e-12 else { return nil }
    if isStart { start(with: arrival, over: displacement, from: origin, law: law, into: &ink) }
    return Piece(from: self, to: arrival, origin: origin, law: law, isTail: isTail)
  }

  /// Draws the ink to an arrival, whose node replaces this one.
  mutating func draw(
    to arrival: Arrival, from origin: Point, law: WidthLaw, isTail: Bool,
    into ink: inout RigidArray<Segment>
  ) {
    guard
      let piece = piece(to: arrival, from: origin, law: law, isTail: isTail, into: &ink)
    else { return }
    piece.draw(into: &ink)
    self = piece.end
  }

  /// Draws the round end of the ink; a stroke that went nowhere is a dot.
  func drawEnd(from origin: Point, into ink: inout RigidArray<Segment>) {
    if isStart {
      drawDot(from: origin, into: &ink)
    } else {
      drawCap(edge: edge, from: origin, into: &ink)
    }
  }

  @inline(never)
  func drawDot(from origin: Point, into ink: inout RigidArray<Segment>) {
    ink.append(Segment(dot: WeightedPoint(origin + position, weight: weight)))
  }

  @inline(__always)
  private func drawCap(edge: Point, from origin: Point, into ink: inout RigidArray<Segment>) {
    ink.append(Segment(capAt: WeightedPoint(origin + position, weight: weight), edge: edge))
  }

  /// Sets a curve's first direction and a stroke's first width; draws the round start.
  @inline(never)
  private mutating func start(
    with arrival: Arrival, over displacement: Point, from origin: Point, law: WidthLaw,
    into ink: inout RigidArray<Segment>
  ) {
    let rate = arrival.step.rate
    let velocity = displacement * (rate * 1.5) - arrival.motion.velocity * 0.5
    speed = velocity.length
    tangent = Node.tangent(of: velocity) ?? tangent
    if phase == .initial {
      filteredSpeed = (displacement.length * rate * 2 + speed) * (1 / 3)
      weight = law.width(speed: filteredSpeed, pressure: pressure)
    }
    phase = .moving
    drawCap(edge: -edge, from: origin, into: &ink)
  }

  /// A step together with the rest before it.
  @inline(__always)
  private func total(_ step: Step) -> Step { dwell.ticks > 0 ? dwell + step : step }

  /// The direction of a displacement, of length 1; nil if it is too short.
  @inline(__always)
  static func tangent(of displacement: Point) -> Point? {
    let length = displacement.length
    return length > 1e-6 ? displacement / length : nil
  }
}

/// A cubic between two nodes that leaves and arrives with the hand's velocity.
struct Piece {
  let start: Node, end: Node
  private let p0, p1, p2, p3: Point
  /// Whether two parallel edges suffice; somewhat stricter than `SharpTurnSubdivision`.
  private let isGentle: Bool

  /// - Parameters:
  ///   - node: Not the start of a curve.
  ///   - isTail: Whether the piece is provisional and keeps its first width.
  @inline(__always)
  init(
    from node: Node, to arrival: Node.Arrival, origin: Point, law: WidthLaw, isTail: Bool
  ) {
    let (position, velocity) = (arrival.motion.position, arrival.motion.velocity)
    let displacement = position - node.position
    let square = displacement.dot(displacement)
    let length = square.squareRoot()
    let speed = velocity.length
    let tangent =
      speed > 1e-4 ? velocity / speed : Node.tangent(of: displacement) ?? node.tangent
    start = node
    end =
      isTail
      ? node.provisionalEnd(at: position, speed: speed, tangent: tangent)
      : Node(after: node, at: arrival, speed: speed, tangent: tangent, length: length, law: law)

    // A handle is at most as long as the chord: with a wrong time stamp the curve would overshoot.
    let third = arrival.step.ticks * (1 / 3)
    let (leave, arrive) = (min(node.speed * third, length), min(speed * third, length))
    p0 = origin + node.position
    p3 = origin + position
    p1 = p0 + node.tangent * leave
    p2 = p3 - tangent * arrive

    // The margins to each limit, so that one branch decides: the angle between the ends and the chord;
    // the handles' length, which bounds the angle in the middle; and the edges' difference in length.
    let ends = min(node.tangent.dot(displacement), tangent.dot(displacement)) - length * 0.8660254
    let (leaving, arriving) = (node.tangent.left.dot(displacement), tangent.left.dot(displacement))
    let edges = square * 1.6 - abs(end.weight * arriving - node.weight * leaving)
    let handles = length * 1.07 - (leave + arrive)
    // Not `min` of three, which the compiler does not inline.
    isGentle = min(min(ends, handles), edges) > 0
  }

  @inline(__always)
  func draw(into ink: inout RigidArray<Segment>) {
    if isGentle { ink.append(segment) } else { SharpTurnSubdivision(segment).draw(into: &ink) }
  }

  /// Draws the piece as the tail, with a round end.
  ///
  /// Until it is finalised, a sharp turn is two straight lines by way of `knot`.
  @inline(__always)
  func drawTail(by knot: Point, into ink: inout RigidArray<Segment>) {
    if isGentle {
      var tail = segment
      tail.endsRound = true
      ink.append(tail)
    } else {
      let middle = WeightedPoint(knot, weight: (start.weight + end.weight) * 0.5)
      ink.append(Segment(WeightedPoint(p0, weight: start.weight), middle))
      ink.append(Segment(middle, WeightedPoint(p3, weight: end.weight)))
    }
  }

  private var segment: Segment {
    @inline(__always) get { Segment(p0, p1, p2, p3, start, end) }
  }
}

/// A cubic Hermite curve that passes a knot on its way.
///
/// It leaves finalised ink with the hand's velocity, passes the knot in time and ends at the newest
/// sample. Solved for the last tangent; a knot near either end does not determine it.
struct HermiteTail {
  /// The time of the whole curve.
  let step: Step
  /// The coefficients of the displacement, the knot's offset and the first velocity.
  private let displacement, knot, first: Float

  @inline(__always)
  init(_ before: Step, _ after: Step) {
    step = before + after
    let s = min(max(before.ticks * step.rate, 0.3), 0.7)
    // The Hermite basis at s: s²(3 − 2s) for the displacement, s(1 − s)² for the first tangent,
    // −s²(1 − s) for the last. All are divided by the coefficient of the last tangent.
    let rest = 1 - s
    let inverse = 1 / (s * rest)
    let scale = step.rate * inverse
    first = inverse * rest * rest
    knot = scale * inverse * rest
    displacement = scale * s * (3 - 2 * s)
  }

  /// The velocity at the end of `displacement`, with the knot at `offset` from its start.
  @inline(__always)
  func endVelocity(_ displacement: Point, _ offset: Point, after first: Point) -> Point {
    first * self.first + (displacement * self.displacement - offset * knot)
  }

  /// The end velocity of a curve that starts with zero curvature.
  ///
  /// The first velocity is 1.5 times the mean velocity minus half of the last one.
  func naturalEndVelocity(_ displacement: Point, _ offset: Point) -> Point {
    let half = 1 / (1 + 0.5 * first)
    return (displacement * (1.5 * first * step.rate + self.displacement) - offset * knot) * half
  }
}
