/// The closed shapes of the model's segments. All run the same way round, so that a path of several
/// is filled as their union.
extension Ductus {
  @inline(__always)
  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .quad, .cubic: band(segment, into: &path)
    case .dot where segment.isCap:
      path.halfDisc(around: segment.p0.position, from: segment.startEdge)
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line:
      capsule(segment.p0.position, segment.p3.position, segment.p0.weight, segment.p3.weight, &path)
    }
  }

  /// Two parallel curves at the distance that the weights say, each with handles scaled as its chord
  /// is (Tiller and Hanson 1984), and straight joint edges, or a round end.
  @inline(__always)
  private static func band(_ segment: Segment, into path: inout Path) {
    // Both ends at once: the start in the low half, the end in the high.
    let ends = SIMD4(lowHalf: segment.p0.position, highHalf: segment.p3.position)
    let edges = SIMD4(lowHalf: segment.startEdge, highHalf: segment.endEdge)
    let handles = SIMD4(lowHalf: segment.p1.position, highHalf: segment.p2.position) - ends
    let chord = ends.highHalf - ends.lowHalf
    let change = edges.highHalf - edges.lowHalf
    let stretch = (change * chord).sum() * (1 / max((chord * chord).sum(), 1e-12))
    let (left, right) = (ends + edges, ends - edges)
    let longer = handles * stretch
    let (leftHandles, rightHandles) = (left + handles + longer, right + handles - longer)
    if segment.endsRound {
      path.roundStrip(left, leftHandles, right, rightHandles, around: ends.highHalf)
    } else {
      path.strip(left, leftHandles, right, rightHandles)
    }
  }

  /// A line with round ends.
  @inline(never)
  private static func capsule(
    _ p0: Point, _ p3: Point, _ startWeight: Float, _ endWeight: Float, _ path: inout Path
  ) {
    let left = (Node.tangent(of: p3 - p0) ?? Point(1, 0)).left * 0.5
    path.capsule(p0, p3, from: left * startWeight, to: left * endWeight)
  }
}
