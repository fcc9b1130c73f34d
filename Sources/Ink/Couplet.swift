/// Two pieces of ink, one after the other: the one that becomes final and the tail. All that is done to
/// both is done once, on the halves of one vector.
struct Couplet {
  /// Where the first piece ends, and the second.
  private(set) var middle: Node, end: Node
  /// The pieces, and whether they can be drawn as they are.
  private(set) var first: Segment, second: Segment
  private(set) var firstIsGentle: Bool, secondIsGentle: Bool

  /// A hand's arrival at a knot.
  struct Arrival {
    var position: Point
    var velocity: Point
    var step: Step
    var pressure: Float
  }

  /// From a node in the middle of a curve to a place and on to another.
  @inline(__always)
  init(from node: Node, to a: Arrival, and b: Arrival, origin: Point) {
    let start = SIMD4(lowHalf: node.position, highHalf: a.position)
    let stop = SIMD4(lowHalf: a.position, highHalf: b.position)
    let velocity = SIMD4(lowHalf: a.velocity, highHalf: b.velocity)
    let way = stop - start
    let square = Couplet.sums(way * way)
    let roots = SIMD4(lowHalf: square, highHalf: Couplet.sums(velocity * velocity)).squareRoot()
    let (length, speed) = (roots.lowHalf, roots.highHalf)
    var normal =
      Couplet.turned(velocity)
      * Couplet.spread(1 / speed.replacing(with: 1e-9, where: speed .< 1e-9))
    if speed.min() < 1e-4 { normal = Couplet.mended(normal, speed, way, node.normal) }
    let before = SIMD4(lowHalf: node.normal, highHalf: normal.lowHalf)
    let leaving = SIMD2(node.speed, speed.x)

    // Simpson's rule over the cubics' speed, with the chord's in the middle.
    let mean = (4 * length * SIMD2(a.step.rate, b.step.rate) + leaving + speed) * (1 / 6)
    middle = Node(
      after: node, at: a, speed: speed.x, normal: normal.lowHalf, mean: mean.x, length: length.x)
    end = Node(
      after: middle, at: b, speed: speed.y, normal: normal.highHalf, mean: mean.y, length: length.y)

    // Handles are at most as long as the chord: time between reports may be wrong, and a curve that
    // believes it would swing out.
    let third = SIMD2(a.step.ticks, b.step.ticks) * (1 / 3)
    let out = Couplet.returned(before) * Couplet.spread(Couplet.least(leaving * third, length))
    let back = Couplet.returned(normal) * Couplet.spread(Couplet.least(speed * third, length))
    let from = start + Motion.both(origin)
    let to = stop + Motion.both(origin)
    first = Segment(
      from.lowHalf, (from + out).lowHalf, (to - back).lowHalf, to.lowHalf, node, middle)
    second = Segment(
      from.highHalf, (from + out).highHalf, (to - back).highHalf, to.highHalf, middle, end)

    let edges = SIMD4(lowHalf: middle.edge, highHalf: end.edge)
    let change = edges - SIMD4(lowHalf: node.edge, highHalf: middle.edge)
    let gentle = Couplet.gentle(
      way, square, from: Couplet.returned(before), to: Couplet.returned(normal), change, out, back)
    firstIsGentle = gentle[0]
    secondIsGentle = gentle[1]
  }

  /// `Segment.isGentle`, for both.
  @inline(__always)
  private static func gentle(
    _ way: SIMD4<Float>, _ square: SIMD2<Float>, from first: SIMD4<Float>, to last: SIMD4<Float>,
    _ change: SIMD4<Float>, _ out: SIMD4<Float>, _ back: SIMD4<Float>
  ) -> SIMDMask<SIMD2<Int32>> {
    let ends = least(sums(first * way), sums(last * way))
    let swing = sums(change * way)
    let middle = 2 * way - out - back
    let along = sums(middle * way)
    let limit = square * 0.75
    return (ends .> 0) .& (ends * ends .> limit)
      .& (swing .< 0.8 * square) .& (swing .> -0.8 * square)
      .& (along .> 0) .& (along * along .> limit * sums(middle * middle))
  }

  /// x + y of both halves.
  @inline(__always)
  private static func sums(_ v: SIMD4<Float>) -> SIMD2<Float> { v.evenHalf + v.oddHalf }

  /// A factor for each half.
  @inline(__always)
  private static func spread(_ v: SIMD2<Float>) -> SIMD4<Float> { SIMD4(v.x, v.x, v.y, v.y) }

  @inline(__always)
  private static func least(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
    a.replacing(with: b, where: b .< a)
  }

  /// Left of both ways, (y, −x), and back from there to the ways.
  @inline(__always)
  private static func turned(_ v: SIMD4<Float>) -> SIMD4<Float> { SIMD4(v.y, -v.x, v.w, -v.z) }
  @inline(__always)
  private static func returned(_ v: SIMD4<Float>) -> SIMD4<Float> { SIMD4(-v.y, v.x, -v.w, v.z) }

  /// Where the hand stood still the chord gives the direction, or else the node before.
  @inline(never)
  private static func mended(
    _ normal: SIMD4<Float>, _ speed: SIMD2<Float>, _ way: SIMD4<Float>, _ before: Point
  ) -> SIMD4<Float> {
    var (low, high) = (normal.lowHalf, normal.highHalf)
    if speed.x < 1e-4 { low = Node.normal(of: way.lowHalf) ?? before }
    if speed.y < 1e-4 { high = Node.normal(of: way.highHalf) ?? low }
    return SIMD4(lowHalf: low, highHalf: high)
  }
}
