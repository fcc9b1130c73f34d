/// A piece of ink from one node to the next: a cubic that leaves and arrives as fast as the hand did.
struct Piece {
  /// A hand's arrival at a knot.
  struct Arrival {
    var position: Point
    var velocity: Point
    var step: Step
    var pressure: Float
  }

  let start: Node, end: Node
  private let p0, p1, p2, p3: Point
  /// Whether it can be drawn as it is: as `Turn` would say, or somewhat stricter.
  private let isGentle: Bool

  /// From a node in the middle of a curve.
  @inline(__always)
  init(from node: Node, to arrival: Arrival, origin: Point, isTail: Bool = false) {
    let way = arrival.position - node.position
    let square = way.dot(way)
    let length = square.squareRoot()
    let speed = arrival.velocity.length
    let tangent =
      speed > 1e-4 ? arrival.velocity / speed : Node.tangent(of: way) ?? node.tangent
    start = node
    end =
      isTail
      ? node.tail(to: arrival.position, speed: speed, tangent: tangent)
      : Node(after: node, at: arrival, speed: speed, tangent: tangent, length: length)

    // Handles are at most as long as the chord: time between reports may be wrong, and a curve that
    // believes it would swing out.
    let third = arrival.step.ticks * (1 / 3)
    let (leave, arrive) = (min(node.speed * third, length), min(speed * third, length))
    p0 = origin + node.position
    p3 = origin + arrival.position
    p1 = p0 + node.tangent * leave
    p2 = p3 - tangent * arrive

    // What is left of each limit, so that one branch decides: how far the ends point away from the
    // chord; the handles' length, with which the middle cannot point away farther; and how much the
    // edges differ in length.
    let straight = min(node.tangent.dot(way), tangent.dot(way)) - length * 0.8660254
    let (leaving, arriving) = (node.tangent.left.dot(way), tangent.left.dot(way))
    let swing = square * 1.6 - abs(end.weight * arriving - node.weight * leaving)
    isGentle = min(straight, length * 1.07 - (leave + arrive), swing) > 0
  }

  @inline(__always)
  func draw(into ink: inout RigidArray<Segment>) {
    if isGentle { ink.append(segment) } else { Turn(segment).draw(into: &ink) }
  }

  /// As the tail, with a round end. Where it is too sharp it goes straight to `knot` and on, until that is
  /// final.
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
