/// Closed contours of lines and Bézier curves, in millimetres, for filling by the non-zero rule.
///
/// A path starts with `move`, and each verb has its points; a rasteriser relies on both. Memory is
/// allocated once. A contour that is appended at once is dropped whole if it does not fit; one that is
/// appended edge by edge ends at the capacity. Either sets `overflowed` and stops appending until
/// `removeAll()`.
public struct Path: ~Copyable, Sendable {
  /// The meaning of the next points.
  public enum Verb: UInt8, BitwiseCopyable, Sendable {
    /// One point: starts a contour. Each contour closes with a line to its start.
    case move
    /// One point.
    case line
    /// Two points: control, end.
    case quad
    /// Three points: control, control, end.
    case cubic

    /// The number of points.
    @inlinable public var pointCount: Int {
      switch self {
      case .move, .line: 1
      case .quad: 2
      case .cubic: 3
      }
    }
  }

  private var verbStorage: RigidArray<Verb>
  private var pointStorage: RigidArray<Point>
  /// Whether something did not fit since the last `removeAll()`.
  public private(set) var overflowed = false

  /// Allocates memory for `capacity` verbs with three points each.
  public init(capacity: Int = 256) {
    verbStorage = RigidArray(capacity: capacity)
    pointStorage = RigidArray(capacity: 3 * capacity)
  }

  /// The verbs, in order.
  public var verbs: Span<Verb> {
    @_lifetime(borrow self)
    borrowing get { verbStorage.span }
  }

  /// The points, in order: one, one, two or three for each verb.
  public var points: Span<Point> {
    @_lifetime(borrow self)
    borrowing get { pointStorage.span }
  }

  /// Calls `body` with each verb and the index of its first point.
  @inlinable @inline(__always)
  public borrowing func forEachVerb(_ body: (_ verb: Verb, _ firstPoint: Int) -> Void) {
    let verbs = self.verbs
    var next = 0
    for index in verbs.indices {
      let verb = verbs[index]
      body(verb, next)
      next &+= verb.pointCount
    }
  }

  /// Whether there is no contour.
  public var isEmpty: Bool { verbStorage.count == 0 }

  /// Starts a contour.
  public mutating func move(to point: Point) { append(.move, point) }

  /// Appends a straight edge. The first edge of an empty path starts a contour at its first point.
  public mutating func line(to point: Point) { appendEdge(.line, point) }

  /// Appends a quadratic edge.
  public mutating func quad(_ control: Point, to point: Point) {
    guard appendEdge(.quad, control) else { return }
    pointStorage.append(point)
  }

  /// Appends a cubic edge.
  public mutating func cubic(_ control1: Point, _ control2: Point, to point: Point) {
    guard appendEdge(.cubic, control1) else { return }
    pointStorage.append(control2)
    pointStorage.append(point)
  }

  /// Removes the contours and keeps the capacity.
  public mutating func removeAll() {
    verbStorage.removeAll()
    pointStorage.removeAll()
    overflowed = false
  }

  @discardableResult
  private mutating func appendEdge(_ verb: Verb, _ point: Point) -> Bool {
    if isEmpty { move(to: point) }
    return append(verb, point)
  }

  @discardableResult
  private mutating func append(_ verb: Verb, _ point: Point) -> Bool {
    guard !overflowed, verbStorage.append(verb) else {
      overflowed = true
      return false
    }
    return pointStorage.append(point)
  }

  /// Appends a whole contour: its verbs, `move` first, and its points, both as tuples.
  @inline(__always)
  private mutating func append<Verbs: BitwiseCopyable, Points: BitwiseCopyable>(
    contour verbs: Verbs, _ points: Points
  ) {
    guard !overflowed, verbStorage.append(contentsOf: verbs) else { return overflowed = true }
    // There is memory for three points per verb: if the verbs fit, so do their points.
    pointStorage.appendFitting(points)
  }
}

/// The contours of ink.
extension Path {
  /// Both ends or both handles of a cubic edge, the first in the low half.
  private typealias Pair = SIMD4<Float>

  /// Appends a circle of four cubic arcs, whose radius is accurate to 0.03 %.
  @inline(__always)
  mutating func circle(around centre: Point, diameter: Float) {
    let r = diameter / 2
    // 4/3·(√2 − 1): the arc's middle lies on the circle.
    let k = r * 0.5522847
    // One expression of thirteen sums is too much for the type checker of 6.2.
    @inline(__always) func at(_ x: Float, _ y: Float) -> Point { centre + Point(x, y) }
    append(
      contour: (Verb.move, Verb.cubic, Verb.cubic, Verb.cubic, Verb.cubic),
      (
        at(r, 0),
        at(r, k), at(k, r), at(0, r),
        at(-k, r), at(-r, k), at(-r, 0),
        at(-r, -k), at(-k, -r), at(0, -r),
        at(k, -r), at(r, -k), at(r, 0)
      ))
  }

  /// Appends a half disc on the right of `radius`.
  @inline(__always)
  mutating func halfDisc(around centre: Point, from radius: Point) {
    let arc = HalfCircle(around: centre, from: radius, apex: radius.normal)
    append(
      contour: (Verb.move, Verb.cubic, Verb.cubic),
      (
        arc.start, arc.first, arc.second, arc.tip, arc.third, arc.fourth, arc.end
      ))
  }

  /// Appends the outline of a segment of the default model.
  ///
  /// All outlines have the same orientation, so that a path of several outlines fills their union.
  @inline(__always)
  mutating func add(_ segment: Segment) {
    switch segment.shape {
    case .quad, .cubic: strip(along: segment)
    case .dot where segment.isCap:
      halfDisc(around: segment.p0.position, from: segment.startEdge)
    case .dot: circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line: capsule(segment.p0, segment.p3)
    }
  }

  /// Appends two parallel curves with straight ends, or with a round one.
  ///
  /// Their handles are scaled as their chords are (Tiller and Hanson 1984).
  @inline(__always)
  private mutating func strip(along segment: Segment) {
    let ends = Pair(lowHalf: segment.p0.position, highHalf: segment.p3.position)
    let edges = Pair(lowHalf: segment.startEdge, highHalf: segment.endEdge)
    let handles = Pair(lowHalf: segment.p1.position, highHalf: segment.p2.position) - ends
    let chord = ends.highHalf - ends.lowHalf
    let change = edges.highHalf - edges.lowHalf
    let stretch = (change * chord).sum() * (1 / max((chord * chord).sum(), 1e-12))
    let (left, right) = (ends + edges, ends - edges)
    let longer = handles * stretch
    let (leftHandles, rightHandles) = (left + handles + longer, right + handles - longer)
    if segment.endsRound {
      let radius = left.highHalf - ends.highHalf
      let arc = HalfCircle(around: ends.highHalf, from: radius, apex: radius.normal)
      append(
        contour: (Verb.move, Verb.cubic, Verb.cubic, Verb.cubic, Verb.cubic),
        (
          left.lowHalf, leftHandles.lowHalf, leftHandles.highHalf, left.highHalf,
          arc.first, arc.second, arc.tip, arc.third, arc.fourth, right.highHalf,
          rightHandles.highHalf, rightHandles.lowHalf, right.lowHalf
        ))
    } else {
      append(
        contour: (Verb.move, Verb.cubic, Verb.line, Verb.cubic),
        (
          left.lowHalf, leftHandles.lowHalf, leftHandles.highHalf, left.highHalf,
          right.highHalf, rightHandles.highHalf, rightHandles.lowHalf, right.lowHalf
        ))
    }
  }

  /// Appends a line with round ends.
  @inline(__always)
  private mutating func capsule(_ start: WeightedPoint, _ end: WeightedPoint) {
    let left = (Node.tangent(of: end.position - start.position) ?? Point(1, 0)).left * 0.5
    let (from, to) = (left * start.weight, left * end.weight)
    let tip = HalfCircle(around: end.position, from: to, apex: to.normal)
    let tail = HalfCircle(around: start.position, from: -from, apex: from.left)
    append(
      contour: (Verb.move, Verb.line, Verb.cubic, Verb.cubic, Verb.line, Verb.cubic, Verb.cubic),
      (
        tail.end,
        tip.start, tip.first, tip.second, tip.tip, tip.third, tip.fourth, tip.end,
        tail.start, tail.first, tail.second, tail.tip, tail.third, tail.fourth, tail.end
      ))
  }
}

/// A half circle of two cubic arcs.
private struct HalfCircle {
  let start, first, second, tip, third, fourth, end: Point

  /// - Parameters:
  ///   - radius: From the centre to the start.
  ///   - apex: From the centre to the tip, on the right of `radius`.
  @inline(__always)
  init(around centre: Point, from radius: Point, apex: Point) {
    // 4/3·(√2 − 1), see `circle`.
    let (shorter, handle) = (radius * 0.5522847, apex * 0.5522847)
    (start, tip, end) = (centre + radius, centre + apex, centre - radius)
    (first, second) = (start + handle, tip + shorter)
    (third, fourth) = (tip - shorter, end + handle)
  }
}
