/// Turns too sharp for two parallel edges are cut into pieces, and the sharpest of them are drawn as
/// round-ended lines: no pinch, no bow-tie, never narrower than the ink is.
extension Segment {
  /// How often a sharp turn is halved.
  private static let depth = 3

  /// Half a disc around an end, to the right of `normal`.
  init(capAt end: WeightedPoint, normal: Point) {
    self.init(dot: end)
    startNormal = normal
    endNormal = normal
  }

  /// A cubic whose ends share edges with their neighbours'.
  @inline(__always)
  init(
    _ p0: WeightedPoint, _ p1: WeightedPoint, _ p2: WeightedPoint, _ p3: WeightedPoint,
    normals start: Point, _ end: Point
  ) {
    self.init(p0, p1, p2, p3)
    startNormal = start
    endNormal = end
  }

  /// Whether this is half a disc.
  var isCap: Bool { shape == .dot && startNormal != .zero }

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
    // The chord along each end's direction, and across it.
    let leaving = (startNormal.normal * chord).sum()
    let arriving = (endNormal.normal * chord).sum()
    let swing =
      (endNormal * chord).sum() * p3.weight - (startNormal * chord).sum() * p0.weight
    let least = min(leaving, arriving)
    let middle = chord + p2.position - p1.position
    let along = (middle * chord).sum()
    return least > 0 && least * least > 0.75 * square && abs(swing) < 1.6 * square
      && along > 0 && along * along > 0.75 * square * (middle * middle).sum()
  }

  /// De Casteljau's halves; they share the direction in the middle.
  private var halved: (Segment, Segment) {
    func mean(_ a: WeightedPoint, _ b: WeightedPoint) -> WeightedPoint {
      WeightedPoint((a.position + b.position) * 0.5, weight: (a.weight + b.weight) * 0.5)
    }
    let (a, b, c) = (mean(p0, p1), mean(p1, p2), mean(p2, p3))
    let (d, e) = (mean(a, b), mean(b, c))
    let middle = mean(d, e)
    let normal =
      Node.normal(of: e.position - d.position)
      ?? Node.normal(of: p3.position - p0.position) ?? startNormal
    return (
      Segment(p0, a, d, middle, normals: startNormal, normal),
      Segment(middle, e, c, p3, normals: normal, endNormal)
    )
  }
}
