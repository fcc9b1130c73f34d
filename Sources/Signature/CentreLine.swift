public import Ink

/// The centre line of finished ink, point by point: what `paraph trace` prints.
public struct CentreLine {
  /// Points are at most this far apart, in millimetres.
  public let spacing: Float
  private var last: WeightedPoint?

  /// Walks along strokes. `body` gets the number of the line, from 0 without holes, and a point with
  /// the width of the ink there; the last point of a line is where its ink ends. A stroke with gaps is
  /// several lines; one that leaves no ink is none.
  public static func walk<E: Error>(
    _ strokes: [Stroke], by kind: StrokeModel.Kind, spacing: Float = 0.1,
    _ body: (_ line: Int, _ point: WeightedPoint) throws(E) -> Void
  ) throws(E) {
    var line = -1
    for stroke in strokes {
      var walker = CentreLine(spacing: spacing)
      try stroke.finishedInk(by: kind) { (segment, beginsLine) throws(E) in
        if beginsLine {
          line += 1
          walker = CentreLine(spacing: spacing)
        }
        try walker.follow(segment) { (point) throws(E) in try body(line, point) }
      }
    }
  }

  private init(spacing: Float) { self.spacing = spacing }

  private mutating func follow<E: Error>(
    _ segment: Segment, _ body: (WeightedPoint) throws(E) -> Void
  ) throws(E) {
    try go(to: segment.point(at: 0), body)
    let steps = CentreLine.steps(segment, spacing: spacing)
    guard steps > 1 else { return try go(to: segment.end, body) }
    for step in 1..<steps {
      try go(to: segment.point(at: Float(step) / Float(steps)), body)
    }
    try go(to: segment.end, body)
  }

  /// To a point, over as many between as the spacing asks for: curves ask for them by `steps`, but a
  /// model may leave a hole between segments.
  private mutating func go<E: Error>(
    to point: WeightedPoint, _ body: (WeightedPoint) throws(E) -> Void
  ) throws(E) {
    guard let from = last else {
      last = point
      return try body(point)
    }
    guard point != from else { return }
    let distance = (point.position - from.position).length
    let line = Segment(from, point)
    let steps = CentreLine.steps(distance, spacing)
    if steps > 1 {
      for step in 1..<steps { try body(line.point(at: Float(step) / Float(steps))) }
    }
    last = point
    try body(point)
  }

  /// A Bézier curve of degree n is nowhere faster than n times its longest leg: equal steps of the
  /// parameter are at most this long.
  private static func steps(_ segment: Segment, spacing: Float) -> Int {
    let (p0, p1, p2, p3) = (
      segment.p0.position, segment.p1.position, segment.p2.position, segment.p3.position
    )
    let speed =
      switch segment.shape {
      case .dot: Float(0)
      case .line: (p1 - p0).length
      case .quad: 2 * max((p1 - p0).length, (p2 - p1).length)
      case .cubic: 3 * max((p1 - p0).length, (p2 - p1).length, (p3 - p2).length)
      }
    return steps(speed, spacing)
  }

  /// At least one; what is no number is one.
  private static func steps(_ length: Float, _ spacing: Float) -> Int {
    Int(min(max(1, (length / spacing).rounded(.up)), 0x1p30))
  }
}
