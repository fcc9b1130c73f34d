/// Straight lines of one width between samples: the baseline for the other models.
///
/// As drawn by Steinkopf's signature app (Web & Mobile Developer 4/2012).
struct Polyline: Sendable {
  /// The width of that app's pen: 3 pt at 163 points per inch.
  static let width: Float = 3 * UberSignature.pointSize

  private var last: WeightedPoint?

  mutating func extend(to sample: Sample, into ink: inout StrokeInk) {
    let point = WeightedPoint(sample.position, weight: Polyline.width)
    guard let last else {
      ink.setTail(Segment(dot: point))
      self.last = point
      return
    }
    guard point != last else { return }
    // The first line replaces the dot at the start.
    if ink.provisional.count == 1, ink.provisional[0].shape == .dot {
      ink.provisional.removeAll()
    }
    ink.finaliseTail()
    ink.setTail(Segment(last, point))
    self.last = point
  }

  func end(into ink: inout StrokeInk) { ink.finaliseTail() }

  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line, .quad, .cubic: path.ribbon(segment.p0, segment.end)
    }
  }
}

extension Path {
  /// Appends a straight piece with butt ends; nothing if both points coincide.
  mutating func ribbon(_ p0: WeightedPoint, _ p1: WeightedPoint) {
    let displacement = p1.position - p0.position
    let length = displacement.length
    guard length > 0 else { return }
    let across = Point(displacement.y, -displacement.x) / (2 * length)
    move(to: p0.position + across * p0.weight)
    line(to: p1.position + across * p1.weight)
    line(to: p1.position - across * p1.weight)
    line(to: p0.position - across * p0.weight)
  }
}
