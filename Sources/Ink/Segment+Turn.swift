/// Turns too sharp for two parallel edges are cut into pieces, and the sharpest of them are drawn as
/// round-ended lines: no pinch, no bow-tie, never narrower than the ink is.
extension Segment {
  /// How often a sharp turn is halved.
  private static let depth = 3

  /// Half a disc around an end, to the right of `edge`.
  @inline(__always)
  init(capAt end: WeightedPoint, edge: Point) {
    self.init(dot: end)
    startEdge = edge
    endEdge = edge
  }

  /// A cubic from node to node, which its neighbours share. It is widening and narrowing most in its
  /// middle, so that there is no crease where it meets them.
  @inline(__always)
  init(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, _ start: Node, _ end: Node) {
    self.init(
      WeightedPoint(p0, weight: start.weight), WeightedPoint(p1, weight: start.weight),
      WeightedPoint(p2, weight: end.weight), WeightedPoint(p3, weight: end.weight))
    startEdge = start.edge
    endEdge = end.edge
  }

  /// Whether this is half a disc.
  var isCap: Bool { shape == .dot && startEdge != .zero }

  /// Appends a cubic whose turn is sharp, in as many pieces as it needs.
  @inline(never)
  func appendHalves(to ink: inout RigidArray<Segment>) { appendHalves(to: &ink, Segment.depth) }

  private func appendHalves(to ink: inout RigidArray<Segment>, _ depth: Int) {
    guard depth > 0, !isFlat else {
      ink.append(Segment(p0, p3))
      return
    }
    let (left, right) = halved
    if left.isGentle { ink.append(left) } else { left.appendHalves(to: &ink, depth - 1) }
    if right.isGentle { ink.append(right) } else { right.appendHalves(to: &ink, depth - 1) }
  }

  /// Whether the chord is no worse than the curve: within 0.02 mm (the farthest a cubic gets from its
  /// chord is three quarters of its handles' reach).
  private var isFlat: Bool {
    let chord = p3.position - p0.position
    func across(_ point: Point) -> Float {
      let way = point - p0.position
      return abs(chord.x * way.y - chord.y * way.x)
    }
    let square = (chord * chord).sum()
    let reach = max(across(p1.position), across(p2.position))
    return reach * reach < 0.027 * 0.027 * square
      && ((p1.position - p0.position) * chord).sum() >= 0
      && ((p3.position - p2.position) * chord).sum() >= 0
  }

  /// Whether both edges keep to the way: neither the ends nor the middle point away from the chord by
  /// more than 30°, and the inner edge is at least a fifth as long as the centre line.
  @inline(__always)
  var isGentle: Bool {
    let chord = p3.position - p0.position
    let square = (chord * chord).sum()
    // The chord along each end's direction, times half the width.
    let leaving = (startEdge.normal * chord).sum()
    let arriving = (endEdge.normal * chord).sum()
    let swing = ((endEdge - startEdge) * chord).sum()
    let middle = chord + p2.position - p1.position
    let along = (middle * chord).sum()
    let limit = 0.75 * square
    return leaving > 0 && leaving * leaving > limit * (startEdge * startEdge).sum()
      && arriving > 0 && arriving * arriving > limit * (endEdge * endEdge).sum()
      && abs(swing) < 0.8 * square
      && along > 0 && along * along > limit * (middle * middle).sum()
  }

  /// De Casteljau's halves; they share the direction in the middle.
  private var halved: (Segment, Segment) {
    func mean(_ a: WeightedPoint, _ b: WeightedPoint) -> WeightedPoint {
      WeightedPoint((a.position + b.position) * 0.5, weight: (a.weight + b.weight) * 0.5)
    }
    let (a, b, c) = (mean(p0, p1), mean(p1, p2), mean(p2, p3))
    let (d, e) = (mean(a, b), mean(b, c))
    let middle = mean(d, e)
    let edge =
      (Node.normal(of: e.position - d.position) ?? Node.normal(of: p3.position - p0.position)
        ?? Point(0, -1)) * (middle.weight * 0.5)
    var left = Segment(p0, a, d, middle)
    (left.startEdge, left.endEdge) = (startEdge, edge)
    var right = Segment(middle, e, c, p3)
    (right.startEdge, right.endEdge) = (edge, endEdge)
    return (left, right)
  }
}
