/// Harwig's model: quadratic curves, drawn as a strip whose width follows the velocity.
///
/// From "Capture a Signature on iOS" (2012; PPSSignatureView). A curve runs from the middle between two
/// touches to the middle between the next two, with the touch as its control point; a low-pass filter
/// smooths the width.
///
/// As published, movement slower than 1 pt per report is not drawn until the hand moves on, the filter
/// counts reports and not time, and a strip is a bow-tie at a cusp. Two things differ: the tail reaches the
/// finger at once, and a dot's radius is the mean of the published random one.
///
/// Published widths are in OpenGL's normalised coordinates, in which the view is 2 wide. Screens of 2012 were
/// 320 pt wide: 1 is 160 pt of 1/163 inch.
struct VelocityStrip: Sendable {
  private static let unit: Float = 160 * UberSignature.pointSize
  static let thinnest: Float = 0.004 * unit
  static let thickest: Float = 0.030 * unit
  /// The width before the first touch.
  static let initialThickness: Float = 0.003 * unit
  /// The filter's weight of the previous width.
  static let smoothing: Float = 0.5
  private static let largestDotRadius: Float = 0.02 * unit
  /// The range that velocities are clamped to, in points per second.
  private static let velocities: ClosedRange<Float> = 20...5000
  /// The distance above which a curve is drawn, in points.
  private static let quadraticDistance: Float = 3
  /// The distance above which a line is drawn, in points.
  private static let lineDistance: Float = 1
  /// The length of a straight piece of the strip, in points.
  private static let stripLength: Float = 1.5

  /// The last touch.
  private var touch: Sample?
  /// The middle between the last touch and the one before.
  private var middle = Point.zero
  /// The end of the strip.
  private var drawn = WeightedPoint(.zero, weight: 0)
  /// The normal at the end of the strip; zero before the first piece.
  private var edge = Point.zero
  private var thickness = VelocityStrip.initialThickness
  /// Points per second, from the last sample with a time of its own.
  private var velocity: Float = 0

  mutating func extend(to sample: Sample, into ink: inout StrokeInk) {
    guard let touch else { return start(at: sample, into: &ink) }
    let distance = (sample.position - touch.position).length / UberSignature.pointSize
    updateThickness(distance: distance, nanoseconds: sample.time - touch.time)
    let next = (touch.position + sample.position) / 2
    if distance > VelocityStrip.quadraticDistance {
      curve(to: next, around: touch.position, into: &ink)
    } else if distance > VelocityStrip.lineDistance {
      line(to: sample.position, into: &ink)
    }
    middle = next
    self.touch = sample
    drawTail(to: sample.position, into: &ink)
  }

  mutating func end(into ink: inout StrokeInk) {
    ink.finaliseTail()
    self = VelocityStrip()
  }

  private mutating func start(at sample: Sample, into ink: inout StrokeInk) {
    updateThickness(distance: 0, nanoseconds: 0)
    touch = sample
    middle = sample.position
    drawn = WeightedPoint(sample.position, weight: thickness)
    let radius = min(thickness, VelocityStrip.largestDotRadius)
    ink.setTail(Segment(dot: WeightedPoint(sample.position, weight: 2 * radius)))
  }

  private mutating func updateThickness(distance: Float, nanoseconds: Int64) {
    // A time stamp that repeats or runs backwards yields no velocity.
    if nanoseconds > 0 { velocity = distance / (Float(nanoseconds) * 1e-9) }
    let range = VelocityStrip.velocities
    let clamped = min(max(velocity, range.lowerBound), range.upperBound)
    let share = (clamped - range.lowerBound) / (range.upperBound - range.lowerBound)
    let width = VelocityStrip.thickest - (VelocityStrip.thickest - VelocityStrip.thinnest) * share
    thickness =
      thickness * VelocityStrip.smoothing + width * (1 - VelocityStrip.smoothing)
  }

  private mutating func curve(
    to next: Point, around control: Point, into ink: inout StrokeInk
  ) {
    let start = WeightedPoint(middle, weight: drawn.weight)
    // The strip is continuous: a line leads to the curve's start.
    if drawn.position != middle { add(Segment(drawn, start), into: &ink) }
    let end = WeightedPoint(next, weight: thickness)
    // The mean of both widths, so that the width changes evenly along the curve.
    let between = WeightedPoint(control, weight: (start.weight + end.weight) / 2)
    add(Segment(start, between, end), into: &ink)
  }

  private mutating func line(to touch: Point, into ink: inout StrokeInk) {
    add(Segment(drawn, WeightedPoint(touch, weight: thickness)), into: &ink)
  }

  private mutating func add(_ segment: Segment, into ink: inout StrokeInk) {
    let (segment, normal) = joined(segment)
    ink.finalised.append(segment)
    drawn = segment.end
    edge = normal
  }

  /// Returns the segment with edges that continue the strip's, and its last normal.
  private func joined(_ segment: Segment) -> (Segment, normal: Point) {
    var segment = segment
    let start = edge == .zero ? VelocityStrip.normal(of: segment, at: 0) : edge
    let normal = VelocityStrip.normal(of: segment, at: 1)
    let end = normal == .zero ? start : normal
    segment.startEdge = start * (segment.p0.weight / 2)
    segment.endEdge = end * (segment.end.weight / 2)
    return (segment, end)
  }

  private mutating func drawTail(to touch: Point, into ink: inout StrokeInk) {
    let distance = (touch - drawn.position).length / UberSignature.pointSize
    // A movement within the line's distance is a tap: the dot stays.
    if edge == .zero, distance <= VelocityStrip.lineDistance { return }
    if distance > 0 {
      ink.setTail(joined(Segment(drawn, WeightedPoint(touch, weight: thickness))).0)
    } else {
      ink.provisional.removeAll()
    }
  }
}

/// The outline of the strip.
extension VelocityStrip {
  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line: strip(segment, pieces: 1, into: &path)
    case .quad, .cubic: strip(segment, pieces: pieces(of: segment), into: &path)
    }
  }

  /// Appends straight pieces along one edge and back along the other.
  private static func strip(_ segment: Segment, pieces: Int, into path: inout Path) {
    path.move(to: segment.p0.position + segment.startEdge)
    for index in 1..<pieces {
      path.line(to: side(of: segment, at: Float(index) / Float(pieces), 1))
    }
    path.line(to: segment.end.position + segment.endEdge)
    path.line(to: segment.end.position - segment.endEdge)
    for index in 1..<pieces {
      path.line(to: side(of: segment, at: 1 - Float(index) / Float(pieces), -1))
    }
    path.line(to: segment.p0.position - segment.startEdge)
  }

  /// The published number of pieces, limited to a path's capacity.
  ///
  /// It depends on the distance between the two touches whose midpoint is the segment's end.
  private static func pieces(of segment: Segment) -> Int {
    let distance = 2 * (segment.p2.position - segment.p1.position).length
    let pieces = distance / (UberSignature.pointSize * stripLength)
    // NaN is one piece.
    return pieces > 1 ? Int(min(pieces, 100)) : 1
  }

  private static func side(of segment: Segment, at t: Float, _ sign: Float) -> Point {
    let point = segment.point(at: t)
    return point.position + normal(of: segment, at: t) * (point.weight / 2) * sign
  }

  /// The left unit normal at `t`; zero if the segment has no length.
  private static func normal(of segment: Segment, at t: Float) -> Point {
    let (p0, p1, p2) = (segment.p0.position, segment.p1.position, segment.p2.position)
    var tangent = (p1 - p0) * (1 - t) + (p2 - p1) * t
    // The tangent is zero where a control point repeats an end, as in the first curve and in lines,
    // and at a cusp.
    if tangent == .zero { tangent = p2 - p0 }
    let length = tangent.length
    return length > 0 ? Point(tangent.y, -tangent.x) / length : .zero
  }
}
