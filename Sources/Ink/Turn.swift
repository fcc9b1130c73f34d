/// A cubic whose turn is too sharp for two parallel edges: it is cut into pieces, and the sharpest of
/// them are drawn as round-ended lines: no pinch, no bow-tie, never narrower than the ink is.
struct Turn {
  private let p0, p1, p2, p3: Point
  private let startWeight, endWeight: Float
  private let startEdge, endEdge: Point

  /// How often it is halved.
  private static let depth = 3

  @inline(__always)
  init(_ segment: Segment) {
    self.init(
      segment.p0.position, segment.p1.position, segment.p2.position, segment.p3.position,
      (segment.p0.weight, segment.p3.weight), (segment.startEdge, segment.endEdge))
  }

  @inline(__always)
  private init(
    _ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, _ weights: (Float, Float),
    _ edges: (Point, Point)
  ) {
    (self.p0, self.p1, self.p2, self.p3) = (p0, p1, p2, p3)
    (startWeight, endWeight) = weights
    (startEdge, endEdge) = edges
  }

  /// Appends it in as many pieces as it needs.
  func draw(into ink: inout RigidArray<Segment>) { draw(Turn.depth, &ink) }

  private func draw(_ depth: Int, _ ink: inout RigidArray<Segment>) {
    let chord = p3 - p0
    if depth < Turn.depth, isGentle(chord) {
      ink.append(cubic)
    } else if depth == 0 || isFlat(chord) {
      ink.append(
        Segment(WeightedPoint(p0, weight: startWeight), WeightedPoint(p3, weight: endWeight)))
    } else {
      drawHalves(chord, depth - 1, &ink)
    }
  }

  /// De Casteljau's halves. They share the direction in the middle, and the change in width as their
  /// chords share the way: where the hand nearly stops there is no way for it.
  private func drawHalves(_ chord: Point, _ depth: Int, _ ink: inout RigidArray<Segment>) {
    let (a, b, c) = ((p0 + p1) * 0.5, (p1 + p2) * 0.5, (p2 + p3) * 0.5)
    let (d, e) = ((a + b) * 0.5, (b + c) * 0.5)
    let middle = (d + e) * 0.5
    let tangent = Node.tangent(of: e - d) ?? Node.tangent(of: chord) ?? Point(1, 0)
    let (there, back) = ((middle - p0).length, (p3 - middle).length)
    let weight = startWeight + (endWeight - startWeight) * (there / max(there + back, 1e-9))
    let edge = tangent.left * (weight * 0.5)
    Turn(p0, a, d, middle, (startWeight, weight), (startEdge, edge)).draw(depth, &ink)
    Turn(middle, e, c, p3, (weight, endWeight), (edge, endEdge)).draw(depth, &ink)
  }

  /// Whether the chord is no worse than the curve: within 0.02 mm (a cubic stays within three quarters of its
  /// farther handle's distance from the chord).
  @inline(__always)
  private func isFlat(_ chord: Point) -> Bool {
    max(reach(p1 - p0, chord), reach(p3 - p2, chord)) < 0.027 * 0.027 * chord.dot(chord)
  }

  /// How far a handle leads away from the chord, times the chord's length; squared.
  @inline(__always)
  private func reach(_ handle: Point, _ chord: Point) -> Float {
    let (across, behind) = (chord.left.dot(handle), min(chord.dot(handle), 0))
    return across * across + behind * behind
  }

  /// Whether both edges keep to the way: neither the ends nor the middle point away from the chord by
  /// more than 30°, and the inner edge is at least a fifth as long as the centre line.
  @inline(__always)
  private func isGentle(_ chord: Point) -> Bool {
    let square = chord.dot(chord)
    // The chord along each end's direction, times half the width.
    let (leaving, arriving) = (startEdge.normal.dot(chord), endEdge.normal.dot(chord))
    let middle = chord + p2 - p1
    let along = middle.dot(chord)
    let limit = 0.75 * square
    // What is left of each limit, so that one branch decides.
    let ends = min(
      leaving * abs(leaving) - limit * startEdge.dot(startEdge),
      arriving * abs(arriving) - limit * endEdge.dot(endEdge))
    let swing = 0.8 * square - abs((endEdge - startEdge).dot(chord))
    return min(ends, swing, along * abs(along) - limit * middle.dot(middle)) > 0
  }

  private var cubic: Segment {
    var cubic = Segment(
      WeightedPoint(p0, weight: startWeight), WeightedPoint(p1, weight: startWeight),
      WeightedPoint(p2, weight: endWeight), WeightedPoint(p3, weight: endWeight))
    (cubic.startEdge, cubic.endEdge) = (startEdge, endEdge)
    return cubic
  }
}
