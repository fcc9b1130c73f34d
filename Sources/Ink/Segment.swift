/// A piece of a stroke's centre line: a Bézier curve of degree 0…3 over weighted points.
///
/// A model yields segments; `StrokeModel.outline(of:into:)` turns one into the closed shape that is
/// filled, and `point(at:)` walks its centre line.
public struct Segment: BitwiseCopyable, Sendable, Equatable {
  /// The four shapes that exist as points arrive (UberSignature).
  public enum Shape: UInt8, BitwiseCopyable, Sendable {
    /// One point; the weight is the diameter. With an edge it is the half of a disc that rounds off
    /// an end.
    case dot
    /// Two points.
    case line
    /// Three points; the middle one is a control point.
    case quad
    /// Four points; the two in the middle are control points.
    case cubic
  }

  /// How many of the points count.
  public var shape: Shape
  /// Whether a cubic with edges ends in half a disc: the tail's last piece.
  public var endsRound = false
  /// Control points in order; those beyond the shape's degree repeat the last one.
  public var p0, p1, p2, p3: WeightedPoint
  /// Vectors from the centre line to its left edge (y down: the way turned by −90°) at both ends, for
  /// models whose neighbouring segments share them; zero for those that look at the points instead.
  public var startEdge = Point.zero, endEdge = Point.zero

  /// A dot.
  @inlinable public init(dot p0: WeightedPoint) { self.init(.dot, p0, p0, p0, p0) }

  /// A line.
  @inlinable public init(_ p0: WeightedPoint, _ p1: WeightedPoint) {
    self.init(.line, p0, p1, p1, p1)
  }

  /// A quadratic curve.
  @inlinable public init(_ p0: WeightedPoint, _ p1: WeightedPoint, _ p2: WeightedPoint) {
    self.init(.quad, p0, p1, p2, p2)
  }

  /// A cubic curve.
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

  /// Where the centre line ends.
  @inlinable public var end: WeightedPoint { p3 }

  /// The centre line's point and width at `t`, 0…1 (Bernstein form).
  @inlinable public func point(at t: Float) -> WeightedPoint {
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

  @inlinable static func blend(
    _ a: WeightedPoint, _ s: Float, _ b: WeightedPoint, _ t: Float
  ) -> WeightedPoint {
    WeightedPoint(a.position * s + b.position * t, weight: a.weight * s + b.weight * t)
  }
}
