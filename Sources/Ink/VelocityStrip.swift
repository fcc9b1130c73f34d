/// Harwig's model ("Capture a Signature on iOS", 2012; PPSSignatureView): quadratic curves from the
/// middle between two touches to the middle between the next two, with the touch as control point,
/// drawn as a strip whose width follows the velocity through a low-pass filter.
///
/// As published: what is slower than 1 pt per report is not drawn until the hand goes on, the filter
/// counts reports and not time, and a strip at a cusp is a bow-tie. Two things differ: the tail reaches
/// the finger at once, and a dot's radius is the mean of the published random one.
///
/// Published widths are in OpenGL's normalised coordinates, where the view is 2 wide. The screens of
/// 2012 were 320 pt wide: 1 is 160 pt of 1/163 inch.
struct VelocityStrip: Sendable {
  static let unit: Float = 160 * UberSignature.pointSize
  static let thinnest: Float = 0.004 * unit
  static let thickest: Float = 0.030 * unit
  /// Before the first touch, and the filter's share of what was.
  static let initialThickness: Float = 0.003 * unit
  static let smoothing: Float = 0.5
  static let largestDotRadius: Float = 0.02 * unit
  /// Velocities are clamped to this, in points per second…
  static let velocities: ClosedRange<Float> = 20...5000
  /// …distances in points: above the first a curve is drawn, above the second a line.
  static let quadraticDistance: Float = 3
  static let lineDistance: Float = 1
  /// Length of a piece of the strip in points.
  static let stripLength: Float = 1.5

  /// The last touch, and the middle between it and the one before.
  private var touch: Sample?
  private var middle = Point.zero
  /// Where the strip ends, and its edge there: the next piece goes on from it, whatever its own
  /// direction is. Zero until there is a piece.
  private var drawn = WeightedPoint(.zero, weight: 0)
  private var edge = Point.zero
  private var thickness = VelocityStrip.initialThickness
  /// Points per second, from the last report with a time of its own.
  private var velocity: Float = 0

  mutating func extend(to sample: Sample, into ink: inout StrokeInk) {
    guard let touch else { return start(at: sample, into: &ink) }
    let distance = (sample.position - touch.position).length / UberSignature.pointSize
    follow(distance: distance, nanoseconds: sample.time - touch.time)
    let next = (touch.position + sample.position) / 2
    if distance > VelocityStrip.quadraticDistance {
      curve(to: next, around: touch.position, into: &ink)
    } else if distance > VelocityStrip.lineDistance {
      line(to: sample.position, into: &ink)
    }
    middle = next
    self.touch = sample
    showTail(to: sample.position, into: &ink)
  }

  mutating func end(into ink: inout StrokeInk) {
    ink.finaliseTail()
    self = VelocityStrip()
  }

  private mutating func start(at sample: Sample, into ink: inout StrokeInk) {
    follow(distance: 0, nanoseconds: 0)
    touch = sample
    middle = sample.position
    drawn = WeightedPoint(sample.position, weight: thickness)
    let radius = min(thickness, VelocityStrip.largestDotRadius)
    ink.setTail(Segment(dot: WeightedPoint(sample.position, weight: 2 * radius)))
  }

  private mutating func follow(distance: Float, nanoseconds: Int64) {
    // A clock that stands still or steps back says nothing about the velocity.
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
    // The strip is one: where it ended elsewhere it goes to the curve's start first.
    if drawn.position != middle { add(Segment(drawn, start), into: &ink) }
    let end = WeightedPoint(next, weight: thickness)
    // Halfway between both, so that the width changes evenly along the curve.
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

  /// The segment with its edges, at its start the one that the strip has there; and the normal at its
  /// end.
  private func joined(_ segment: Segment) -> (Segment, normal: Point) {
    var segment = segment
    let start = edge == .zero ? VelocityStrip.normal(of: segment, at: 0) : edge
    let way = VelocityStrip.normal(of: segment, at: 1)
    let end = way == .zero ? start : way
    segment.startEdge = start * (segment.p0.weight / 2)
    segment.endEdge = end * (segment.end.weight / 2)
    return (segment, end)
  }

  private mutating func showTail(to touch: Point, into ink: inout StrokeInk) {
    let distance = (touch - drawn.position).length / UberSignature.pointSize
    // A hand that trembles on the spot taps: its dot stays.
    if edge == .zero, distance <= VelocityStrip.lineDistance { return }
    if distance > 0 {
      ink.setTail(joined(Segment(drawn, WeightedPoint(touch, weight: thickness))).0)
    } else {
      ink.provisional.removeAll()
    }
  }
}
