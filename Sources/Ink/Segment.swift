/// A point of a stroke's centre line with the width of the ink there.
public struct WeightedPoint: BitwiseCopyable, Sendable, Equatable {
  /// Millimetres on the glass.
  public var position: Point
  /// The full width of the ink, in millimetres.
  public var weight: Float

  /// Creates a point with a width.
  @inlinable public init(_ position: Point, weight: Float) {
    self.position = position
    self.weight = weight
  }
}

/// A piece of a stroke's centre line.
///
/// It is a Bézier curve of degree 0…3 over weighted points. A model yields segments.
/// `StrokeModel.outline(of:by:into:)` turns a segment into the closed outline that is filled; `point(at:)`
/// evaluates its centre line.
public struct Segment: BitwiseCopyable, Sendable, Equatable {
  /// The degree of the curve: the four shapes that UberSignature has.
  public enum Shape: UInt8, BitwiseCopyable, Sendable {
    /// One point whose weight is the diameter. With an edge, the half disc that rounds off an end.
    case dot
    /// Two points.
    case line
    /// Three points; the middle one is a control point.
    case quad
    /// Four points; the two in the middle are control points.
    case cubic
  }

  /// The number of points that count.
  public var shape: Shape
  /// Whether a cubic with edges ends in a half disc, as the tail does.
  public var endsRound = false
  /// The control points, in order; those beyond the degree repeat the last one.
  public var p0, p1, p2, p3: WeightedPoint
  /// The vectors from the centre line to its left edge at both ends.
  ///
  /// Left of the direction of motion as seen on the glass. Neighbouring segments share them; zero in models
  /// that derive the edges from the points.
  public var startEdge = Point.zero, endEdge = Point.zero

  /// Creates a dot.
  @inlinable public init(dot p0: WeightedPoint) { self.init(.dot, p0, p0, p0, p0) }

  /// Creates a line.
  @inlinable public init(_ p0: WeightedPoint, _ p1: WeightedPoint) {
    self.init(.line, p0, p1, p1, p1)
  }

  /// Creates a quadratic curve.
  @inlinable public init(_ p0: WeightedPoint, _ p1: WeightedPoint, _ p2: WeightedPoint) {
    self.init(.quad, p0, p1, p2, p2)
  }

  /// Creates a cubic curve.
  @inlinable public init(
    _ p0: WeightedPoint, _ p1: WeightedPoint, _ p2: WeightedPoint, _ p3: WeightedPoint
  ) {
    self.init(.cubic, p0, p1, p2, p3)
  }

  @inlinable init(
    _ shape: Shape, _ p0: WeightedPoint, _ p1: WeightedPoint, _ p2: WeightedPoint,
    _ p3: WeightedPoint
  ) {
    self.shape = shape
    self.p0 = p0
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
  }

  /// A half disc around an end, on the right of `edge`.
  @inline(__always)
  init(capAt end: WeightedPoint, edge: Point) {
    self.init(dot: end)
    startEdge = edge
    endEdge = edge
  }

  /// A cubic between two nodes.
  ///
  /// Its width changes most in the middle, so that there is no crease at the neighbouring segments.
  @inline(__always)
  init(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, _ start: Node, _ end: Node) {
    self.init(
      p0, p1, p2, p3, weights: (start.weight, end.weight), edges: (start.edge, end.edge))
  }

  @inline(__always)
  fileprivate init(
    _ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, weights: (Float, Float),
    edges: (Point, Point)
  ) {
    self.init(
      WeightedPoint(p0, weight: weights.0), WeightedPoint(p1, weight: weights.0),
      WeightedPoint(p2, weight: weights.1), WeightedPoint(p3, weight: weights.1))
    (startEdge, endEdge) = edges
  }

  /// Whether this is a half disc.
  var isCap: Bool { @inline(__always) get { shape == .dot && !startEdge.isZero } }

  /// The end of the centre line.
  @inlinable public var end: WeightedPoint { p3 }

  /// The centre line's point and width at `t`, 0…1 (de Casteljau).
  public func point(at t: Float) -> WeightedPoint {
    let s = 1 - t
    switch shape {
    case .dot: return p0
    case .line: return Segment.blend(p0, s, p1, t)
    case .quad:
      return Segment.blend(Segment.blend(p0, s, p1, t), s, Segment.blend(p1, s, p2, t), t)
    case .cubic:
      let a = Segment.blend(p0, s, p1, t)
      let b = Segment.blend(p1, s, p2, t)
      let c = Segment.blend(p2, s, p3, t)
      return Segment.blend(Segment.blend(a, s, b, t), s, Segment.blend(b, s, c, t), t)
    }
  }

  private static func blend(
    _ a: WeightedPoint, _ s: Float, _ b: WeightedPoint, _ t: Float
  ) -> WeightedPoint {
    WeightedPoint(a.position * s + b.position * t, weight: a.weight * s + b.weight * t)
  }
}

/// Subdivides a cubic whose turn is too sharp for two parallel edges.
///
/// The sharpest parts become lines with round ends. The outline has neither a pinch nor a bow-tie and is
/// never narrower than the ink.
struct SharpTurnSubdivision {
  /// The most halvings.
  private static let depth = 3

  private let p0, p1, p2, p3: Point
  private let weights: (start: Float, end: Float)
  private let edges: (start: Point, end: Point)

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
    self.weights = weights
    self.edges = edges
  }

  /// Appends as many segments as the turn needs.
  func draw(into ink: inout RigidArray<Segment>) { draw(SharpTurnSubdivision.depth, &ink) }

  private func draw(_ depth: Int, _ ink: inout RigidArray<Segment>) {
    let chord = p3 - p0
    if depth < SharpTurnSubdivision.depth, isGentle(chord) {
      ink.append(Segment(p0, p1, p2, p3, weights: weights, edges: edges))
    } else if depth == 0 || isFlat(chord) {
      ink.append(
        Segment(WeightedPoint(p0, weight: weights.start), WeightedPoint(p3, weight: weights.end)))
    } else {
      drawHalves(chord, depth - 1, &ink)
    }
  }

  /// Draws de Casteljau's halves, which share the direction in the middle.
  ///
  /// The change of width is divided in proportion to their chords: a half without length has none.
  private func drawHalves(_ chord: Point, _ depth: Int, _ ink: inout RigidArray<Segment>) {
    let (a, b, c) = ((p0 + p1) * 0.5, (p1 + p2) * 0.5, (p2 + p3) * 0.5)
    let (d, e) = ((a + b) * 0.5, (b + c) * 0.5)
    let middle = (d + e) * 0.5
    let tangent = Node.tangent(of: e - d) ?? Node.tangent(of: chord) ?? Point(1, 0)
    let (first, second) = ((middle - p0).length, (p3 - middle).length)
    let share = first / max(first + second, 1e-9)
    let weight = weights.start + (weights.end - weights.start) * share
    let edge = tangent.left * (weight * 0.5)
    SharpTurnSubdivision(p0, a, d, middle, (weights.start, weight), (edges.start, edge))
      .draw(depth, &ink)
    SharpTurnSubdivision(middle, e, c, p3, (weight, weights.end), (edge, edges.end))
      .draw(depth, &ink)
  }

  /// Whether the chord is within 0.02 mm of the curve.
  ///
  /// A cubic's distance from its chord is at most three quarters of its farther handle's.
  @inline(__always)
  private func isFlat(_ chord: Point) -> Bool {
    max(deviation(p1 - p0, chord), deviation(p3 - p2, chord)) < 0.027 * 0.027 * chord.dot(chord)
  }

  /// The squared distance of a handle's end from the chord, times the chord's squared length.
  @inline(__always)
  private func deviation(_ handle: Point, _ chord: Point) -> Float {
    let (across, behind) = (chord.left.dot(handle), min(chord.dot(handle), 0))
    return across * across + behind * behind
  }

  /// Whether two parallel edges suffice.
  ///
  /// Neither the ends nor the middle deviate from the chord by more than 30°, and the inner edge is at least
  /// a fifth as long as the centre line.
  @inline(__always)
  private func isGentle(_ chord: Point) -> Bool {
    let square = chord.dot(chord)
    // The chord's component along each end's direction, times half the width.
    let (leaving, arriving) = (edges.start.normal.dot(chord), edges.end.normal.dot(chord))
    let middle = chord + p2 - p1
    let along = middle.dot(chord)
    let limit = 0.75 * square
    // The margins to each limit, so that one branch decides.
    let ends = min(
      leaving * abs(leaving) - limit * edges.start.dot(edges.start),
      arriving * abs(arriving) - limit * edges.end.dot(edges.end))
    let swing = 0.8 * square - abs((edges.end - edges.start).dot(chord))
    let bend = along * abs(along) - limit * middle.dot(middle)
    return min(min(ends, swing), bend) > 0
  }
}
