/// Straight lines of one width from sample to sample, as drawn by Steinkopf's signature app
/// (Web & Mobile Developer 4/2012): the baseline that the other models are held against.
struct Polyline: Sendable {
  /// 3 pt at 163 per inch, the width of that app's pen.
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
    // The dot at the start only stands for the stroke until there is a line.
    if ink.provisional.count == 1, ink.provisional[0].shape == .dot {
      ink.provisional.removeAll()
    }
    ink.finaliseTail()
    ink.setTail(Segment(last, point))
    self.last = point
  }

  mutating func end(into ink: inout StrokeInk) {
    ink.finaliseTail()
    last = nil
  }

  static func outline(of segment: Segment, into path: inout Path) {
    switch segment.shape {
    case .dot: path.circle(around: segment.p0.position, diameter: segment.p0.weight)
    case .line, .quad, .cubic: path.ribbon(segment.p0, segment.end)
    }
  }
}
