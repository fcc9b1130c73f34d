/// Closed contours of lines and Bézier curves, in millimetres: what a rasteriser fills (non-zero rule).
///
/// A path begins with `move`, and each verb has its points: a rasteriser relies on both. Room is allocated
/// once. A contour that is added at once is left out whole where it does not fit, one that is added edge by edge
/// ends with the room; `overflowed` is set, and nothing more is added until `removeAll()`.
public struct Path: ~Copyable, Sendable {
  /// What the next points mean.
  public enum Verb: UInt8, BitwiseCopyable, Sendable {
    /// One point: a new contour starts. Every contour closes by a line to its start.
    case move
    /// One point.
    case line
    /// Two points: control, end.
    case quad
    /// Three points: control, control, end.
    case cubic
  }

  private var verbStorage: RigidArray<Verb>
  private var pointStorage: RigidArray<Point>
  /// Whether something did not fit since the last `removeAll()`.
  public private(set) var overflowed = false

  /// Room for `capacity` verbs and three points each.
  public init(capacity: Int = 256) {
    verbStorage = RigidArray(capacity: capacity)
    pointStorage = RigidArray(capacity: 3 * capacity)
  }

  /// In order.
  public var verbs: Span<Verb> {
    @_lifetime(borrow self)
    borrowing get { verbStorage.span }
  }

  /// In order: one, one, two or three for each verb.
  public var points: Span<Point> {
    @_lifetime(borrow self)
    borrowing get { pointStorage.span }
  }

  /// Whether there is no contour.
  public var isEmpty: Bool { verbStorage.count == 0 }

  /// Starts a contour.
  public mutating func move(to point: Point) { append(.move, point) }

  /// A straight edge. In an empty path it starts a contour at its point, as all edges do at their first one.
  public mutating func line(to point: Point) { appendEdge(.line, point) }

  /// A quadratic edge.
  public mutating func quad(_ control: Point, to point: Point) {
    guard appendEdge(.quad, control) else { return }
    pointStorage.append(point)
  }

  /// A cubic edge.
  public mutating func cubic(_ control1: Point, _ control2: Point, to point: Point) {
    guard appendEdge(.cubic, control1) else { return }
    pointStorage.append(control2)
    pointStorage.append(point)
  }

  /// Forgets the contours and keeps the room.
  public mutating func removeAll() {
    verbStorage.removeAll()
    pointStorage.removeAll()
    overflowed = false
  }

  /// Adds a whole contour at once: a tuple of verbs, the first of which is `move`, and one of their points.
  @inline(__always)
  mutating func append<Verbs: BitwiseCopyable, Points: BitwiseCopyable>(
    contour verbs: Verbs, _ points: Points
  ) {
    // There is room for three points a verb, so that the points of verbs that fit always fit.
    if overflowed || !verbStorage.append(contentsOf: verbs)
      || !pointStorage.append(contentsOf: points)
    {
      overflowed = true
    }
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
}
