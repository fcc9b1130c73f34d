/// A cubic whose turn is too sharp for two parallel edges: it is cut into pieces, and the sharpest of
/// them are drawn as round-ended lines: no pinch, no bow-tie, never narrower than the ink is.
struct Turn {
  /// The control points: x, y, width and nothing, so that a mean is one of all.
  private let p0, p1, p2, p3: SIMD4<Float>
  private let startEdge, endEdge: Point

  /// How often it is halved.
  private static let depth = 3

  @inline(__always)
  init(_ segment: Segment) {
    func numbers(_ point: WeightedPoint) -> SIMD4<Float> {
      SIMD4(lowHalf: point.position, highHalf: Point(point.weight, 0))
    }
    p0 = numbers(segment.p0)
    p1 = numbers(segment.p1)
    p2 = numbers(segment.p2)
    p3 = numbers(segment.p3)
    (startEdge, endEdge) = (segment.startEdge, segment.endEdge)
  }

  @inline(__always)
  private init(
    _ p0: SIMD4<Float>, _ p1: SIMD4<Float>, _ p2: SIMD4<Float>, _ p3: SIMD4<Float>,
    _ startEdge: Point, _ endEdge: Point
  ) {
    (self.p0, self.p1, self.p2, self.p3) = (p0, p1, p2, p3)
    (self.startEdge, self.endEdge) = (startEdge, endEdge)
  }

  /// Appends it in as many pieces as it needs.
  func draw(into ink: inout RigidArray<Segment>) { draw(Turn.depth, &ink) }

  private func draw(_ depth: Int, _ ink: inout RigidArray<Segment>) {
    let chord = (p3 - p0).lowHalf
    if depth < Turn.depth, isGentle(chord) {
      ink.append(cubic)
      return
    }
    guard depth > 0, !isFlat(chord) else {
      ink.append(Segment(Turn.point(p0), Turn.point(p3)))
      return
    }
    // De Casteljau's halves; they share the direction in the middle.
    let (a, b, c) = ((p0 + p1) * 0.5, (p1 + p2) * 0.5, (p2 + p3) * 0.5)
    let (d, e) = ((a + b) * 0.5, (b + c) * 0.5)
    let middle = (d + e) * 0.5
    let tangent = Node.tangent(of: (e - d).lowHalf) ?? Node.tangent(of: chord) ?? Point(1, 0)
    let edge = tangent.left * (middle.z * 0.5)
    Turn(p0, a, d, middle, startEdge, edge).draw(depth - 1, &ink)
    Turn(middle, e, c, p3, edge, endEdge).draw(depth - 1, &ink)
  }

  /// Whether the chord is no worse than the curve: within 0.02 mm (the farthest a cubic gets from its
  /// chord is three quarters of its handles' reach).
  @inline(__always)
  private func isFlat(_ chord: Point) -> Bool {
    let (out, back) = ((p1 - p0).lowHalf, (p3 - p2).lowHalf)
    let (first, second) = (chord.left.dot(out), chord.left.dot(back))
    return max(first * first, second * second) < 0.027 * 0.027 * chord.dot(chord)
      && out.dot(chord) >= 0 && back.dot(chord) >= 0
  }

  /// Whether both edges keep to the way: neither the ends nor the middle point away from the chord by
  /// more than 30°, and the inner edge is at least a fifth as long as the centre line.
  @inline(__always)
  private func isGentle(_ chord: Point) -> Bool {
    let square = chord.dot(chord)
    // The chord along each end's direction, times half the width.
    let (leaving, arriving) = (startEdge.normal.dot(chord), endEdge.normal.dot(chord))
    let middle = chord + (p2 - p1).lowHalf
    let along = middle.dot(chord)
    let limit = 0.75 * square
    return leaving > 0 && leaving * leaving > limit * startEdge.dot(startEdge)
      && arriving > 0 && arriving * arriving > limit * endEdge.dot(endEdge)
      && abs((endEdge - startEdge).dot(chord)) < 0.8 * square
      && along > 0 && along * along > limit * middle.dot(middle)
  }

  private var cubic: Segment {
    var cubic = Segment(Turn.point(p0), Turn.point(p1), Turn.point(p2), Turn.point(p3))
    (cubic.startEdge, cubic.endEdge) = (startEdge, endEdge)
    return cubic
  }

  @inline(__always)
  private static func point(_ numbers: SIMD4<Float>) -> WeightedPoint {
    WeightedPoint(numbers.lowHalf, weight: numbers.z)
  }
}
