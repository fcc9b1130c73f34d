/// UberSignature's provider (Uber Engineering, 2017): dot, line, quad and cubic as points arrive, and
/// a join in the middle between the third and the fifth point of each curve.
///
/// Constants and arithmetic are the published ones, in points of 1/163 inch; ink is in millimetres.
/// Its known defects are kept: there is no time in it, turns are pinched, touches in the middle are
/// control points and not on the curve, and a last touch within 2 pt of the one before is lost.
struct UberSignature: Sendable {
  /// Millimetres of one point on the screen it was made for.
  static let pointSize: Float = 25.4 / 163
  /// A touch closer than this to the one before is dropped, in points.
  static let touchDistanceThreshold: Float = 2
  /// The radius of a dot and the weight of the first point of a line, in points.
  static let dotWeight: Float = 3
  /// The outline stroke of 1 pt that is drawn around every shape, half of it outside: ink is wider
  /// than its weight by as much.
  static let outlineStroke: Float = pointSize

  private var points: (WeightedPoint, WeightedPoint, WeightedPoint, WeightedPoint)
  private var count = 0

  init() {
    let none = WeightedPoint(.zero, weight: 0)
    points = (none, none, none, none)
  }

  /// `max(0, 50 − d)·0.1 + 2`, in points: the closer two touches are, the heavier is the line.
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

  /// The fifth touch: the fourth point moves into the middle between the third and the fifth, so that
  /// the next curve starts in the direction in which this one ends.
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

  /// The shape of the points that there are, in the widths that are drawn.
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
