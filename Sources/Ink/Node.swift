/// Where two pieces of ink meet: both take place, direction and width from here, so that their edge is
/// the same to the last bit.
struct Node: BitwiseCopyable, Sendable {
  /// What the next piece has to know beside the numbers.
  enum Phase: UInt8, BitwiseCopyable, Sendable {
    /// Nothing has been drawn: the first step decides about direction, pace and width.
    case fresh
    /// A curve starts here with the pace and width that there are; the first step gives the direction.
    case start
    /// The hand has not left: some time was spent here on steps too small to draw.
    case rest
    /// In the middle of a curve.
    case way
  }

  /// Millimetres from the stroke's origin.
  var position: Point
  /// The way, of length one.
  var tangent = Point(1, 0)
  /// Millimetres per tick.
  var speed: Float = 0
  /// Low-passed speed, mm per tick, and pressure.
  var pace: Float = 0
  var pressure: Float
  let law: WidthLaw
  /// Width in millimetres.
  var weight: Float
  var phase = Phase.fresh
  /// The time spent resting here.
  var stay = Step.none

  init(at position: Point, pressure: Float, law: WidthLaw) {
    self.position = position
    self.pressure = pressure
    self.law = law
    weight = law.dot
  }

  /// A node that a curve over a chord of `length` reached from another one.
  @inline(__always)
  init(after last: Node, at a: Piece.Arrival, speed: Float, tangent: Point, length: Float) {
    // The mean by Simpson's rule over the cubic's speed, with the chord's in the middle, in a low-pass.
    let sixth = (1 - a.step.memory) * (1 / 6)
    law = last.law
    position = a.position
    self.tangent = tangent
    self.speed = speed
    pace =
      (length * (4 * a.step.rate * sixth) + last.pace * a.step.memory)
      + (last.speed + speed) * sixth
    pressure =
      a.pressure < 0 ? a.pressure : a.pressure + (last.pressure - a.pressure) * a.step.memory
    // Ink widens and narrows by no more than a millimetre on a millimetre.
    let width = law.width(pace: pace, pressure: pressure)
    let least = last.weight - length
    weight = min(width > least ? width : least, last.weight + length)
    phase = .way
  }

  /// The node at a tail's end: as wide as final ink ends with, for what the hand does there is not known
  /// before it is final.
  @inline(__always)
  func tail(to position: Point, speed: Float, tangent: Point) -> Node {
    var end = self
    (end.position, end.speed, end.tangent) = (position, speed, tangent)
    (end.phase, end.stay) = (.way, .none)
    return end
  }

  /// From the centre line to the left edge.
  var edge: Point { @inline(__always) get { (tangent.left * 0.5) * weight } }

  /// Whether a curve starts here.
  var isStart: Bool { phase == .fresh || phase == .start }

  /// A gap: the next curve starts afresh, with the ink as wide as it is.
  mutating func pause() {
    speed = 0
    phase = .start
    stay = .none
  }

  /// The first direction of a curve, and of a stroke the first pace.
  mutating func start(towards velocity: Point, mean: Float) {
    speed = velocity.length
    tangent = Node.tangent(of: velocity) ?? tangent
    if phase == .fresh {
      pace = (mean * 2 + speed) * (1 / 3)
      weight = law.width(pace: pace, pressure: pressure)
    }
    phase = .way
  }

  /// A step too small to draw; the longer the hand rests, the less is its direction remembered.
  mutating func rest(_ step: Step) {
    stay = Step(stay, step)
    if phase == .way { phase = .rest }
    speed *= 0.5
  }

  /// The direction of a way, of length one, unless it is too short to have any.
  @inline(__always)
  static func tangent(of way: Point) -> Point? {
    let length = way.length
    return length > 1e-6 ? way / length : nil
  }
}
