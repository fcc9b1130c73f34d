/// The default model's segments, whose neighbours share their edges.
extension Segment {
  /// Half a disc around an end, to the right of `edge`.
  @inline(__always)
  init(capAt end: WeightedPoint, edge: Point) {
    self.init(dot: end)
    startEdge = edge
    endEdge = edge
  }

  /// A cubic from node to node. It is widening and narrowing most in its middle, so that there is no
  /// crease where it meets its neighbours.
  @inline(__always)
  init(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, _ start: Node, _ end: Node) {
    self.init(
      WeightedPoint(p0, weight: start.weight), WeightedPoint(p1, weight: start.weight),
      WeightedPoint(p2, weight: end.weight), WeightedPoint(p3, weight: end.weight))
    startEdge = start.edge
    endEdge = end.edge
  }

  /// Whether this is half a disc.
  var isCap: Bool { @inline(__always) get { shape == .dot && startEdge != .zero } }
}
