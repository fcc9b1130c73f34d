/// UberSignature's provider: dot, line, quad and cubic as points arrive (Uber Engineering, 2017).
///
/// Constants and arithmetic are as published, in points of 1/163 inch; ink is in millimetres. Each curve
/// is joined to the next in the middle between its third and fifth point. Known defects are kept: time does
/// not count, turns are pinched, touches in the middle are control points that the curve misses, and a
/// last touch within 2 pt of the one before is lost.
struct UberSignature: Sendable {
  /// Millimetres per point on the screen that the model was made for.
  static let pointSize: Float = 25.4 / 163
  /// The distance from the previous touch below which a touch is dropped, in points.
  private static let touchDistanceThreshold: Float = 2
  /// The radius of a dot and the weight of a line's first point, in points.
  private static let dotWeight: Float = 3
  /// The outline stroke around each shape, 1 pt, in millimetres.
  ///
  /// Half of it lies outside, so that ink is wider than its weight by this.
  static let outlineStroke: Float = pointSize

  private var points: (WeightedPoint, WeightedPoint, WeightedPoint, WeightedPoint)
  private var count = 0

  init() {
    let none = WeightedPoint(.zero, weight: 0)
    points = (none, none, none, none)
  }

  /// The weight at a distance from the previous touch, in points: `max(0, 50 − d)·0.1 + 2`.
  static func weight(distance: Float) -> Float {
    (max(0, 50 - distance / pointSize) * 0.1 + 2) * pointSize
  }

  mutating func extend(to sample: Sample, into ink: inout StrokeInk) {
    let touch = sample.position
    guard count > 0 else {
      points.0 = WeightedPoint(touch, weight: UberSignature.dotWeight * UberSignature.pointSize)
      count = 1
      ink.setTail(tail)
      return
    }
    let distance = (touch - last).length
    guard distance >= UberSignature.touchDistanceThreshold * UberSignature.pointSize else { return }
    if count == 4 { join(to: touch, into: &ink) }
    append(WeightedPoint(touch, weight: UberSignature.weight(distance: distance)))
    ink.setTail(tail)
  }

  mutating func end(into ink: inout StrokeInk) {
    ink.finaliseTail()
    count = 0
  }

  /// Finalises the curve at the fifth touch.
  ///
  /// Its last point moves to the middle between the third and the fifth, so that the next curve starts in
  /// the direction in which this one ends.
  private mutating func join(to touch: Point, into ink: inout StrokeInk) {
    let before = points.2.position
    let middle = (before + touch) / 2
    points.3 = WeightedPoint(
      middle, weight: UberSignature.weight(distance: (before - middle).length))
    ink.finalised.append(tail)
    points.0 = points.3
    count = 1
  }

  private var last: Point {
    switch count {
    case 1: points.0.position
    case 2: points.1.position
    case 3: points.2.position
    default: points.3.position
    }
  }

  private mutating func append(_ point: WeightedPoint) {
    switch count {
    case 1: points.1 = point
    case 2: points.2 = point
    default: points.3 = point
    }
    count += 1
  }

  /// The shape of the present points, in drawn widths.
  private var tail: Segment {
    let (p0, p1) = (drawn(points.0), drawn(points.1))
    return switch count {
    case 1: Segment(dot: drawn(WeightedPoint(points.0.position, weight: 2 * points.0.weight)))
    case 2: Segment(p0, p1)
    case 3: Segment(p0, p1, drawn(points.2))
    default: Segment(p0, p1, drawn(points.2), drawn(points.3))
    }
  }

  private func drawn(_ point: WeightedPoint) -> WeightedPoint {
    WeightedPoint(point.position, weight: point.weight + UberSignature.outlineStroke)
  }
}

/// The outlines of the four shapes, widened by the outline stroke.
///
/// A control line crosses the stroke at each point of a segment; its length is the width of the ink. It is
/// symmetric, so that one vector, its half, describes it.
extension UberSignature {
  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line: path.ribbon(segment.p0, segment.p1)
    case .quad: quad(segment, into: &path)
    case .cubic: cubic(segment, into: &path)
    }
  }

  private static func quad(_ segment: Segment, into path: inout Path) {
    let (p0, p1, p2) = (segment.p0.position, segment.p1.position, segment.p2.position)
    let (first, second) = (across(p0, p1), across(p1, p2))
    let a = half(segment.p0, first, else: second, .zero)
    let b = half(segment.p1, (first + second) / 2, else: first, second)
    let c = half(segment.p2, second, else: first, .zero)
    path.move(to: p0 + a)
    path.quad(p1 + b, to: p2 + c)
    path.line(to: p2 - c)
    path.quad(p1 - b, to: p0 - a)
  }

  private static func cubic(_ segment: Segment, into path: inout Path) {
    let (p0, p1) = (segment.p0.position, segment.p1.position)
    let (p2, p3) = (segment.p2.position, segment.p3.position)
    let (first, second, third) = (across(p0, p1), across(p1, p2), across(p2, p3))
    let a = half(segment.p0, first, else: second, third)
    let b = half(segment.p1, (first + second) / 2, else: first, second)
    let c = half(segment.p2, (second + third) / 2, else: second, third)
    let d = half(segment.p3, third, else: second, first)
    path.move(to: p0 + a)
    path.cubic(p1 + b, p2 + c, to: p3 + d)
    path.line(to: p3 - d)
    path.cubic(p2 - c, p1 - b, to: p0 - a)
  }

  /// The unit vector across the direction between two points.
  ///
  /// Zero if the points coincide, where the published control line collapses to its point.
  private static func across(_ from: Point, _ to: Point) -> Point {
    let displacement = to - from
    let length = displacement.length
    return length > 0 ? Point(displacement.y, -displacement.x) / length : .zero
  }

  /// Half of the control line at a point.
  ///
  /// The outline stroke lies half outside and lengthens the line by half a point at both ends.
  ///
  /// - Parameters:
  ///   - direction: The mean of the perpendiculars that meet in the point. Its length is the cosine of half
  ///     the turn, by which the published ink is pinched.
  ///   - first: Used if the perpendiculars cancelled each other, so that the control line has
  ///     collapsed.
  ///   - second: Used if `first` is zero, too.
  private static func half(
    _ point: WeightedPoint, _ direction: Point, else first: Point, _ second: Point
  ) -> Point {
    let length = direction.length
    let stroke: Point
    if length > 1e-3 {
      stroke = direction / length
    } else {
      stroke = first == .zero ? second : first
    }
    return direction * ((point.weight - outlineStroke) / 2) + stroke * (outlineStroke / 2)
  }
}
