public import Ink

/// Walks along the centre line of finalised ink, as `paraph trace` prints it.
public struct CentreLine {
  /// The longest distance between points, in millimetres.
  public let spacing: Float
  private var last: WeightedPoint?

  /// Walks along strokes.
  ///
  /// A stroke with gaps is several lines; a stroke without ink is none.
  ///
  /// - Parameters:
  ///   - spacing: The longest distance between points, in millimetres.
  ///   - body: Receives the line's number, from 0 without holes, and a point with the width of the ink. The
  ///     last point of a line is the end of its ink.
  public static func walk<E: Error>(
    _ strokes: [Stroke], by kind: StrokeModel.Kind, spacing: Float = 0.1,
    _ body: (_ line: Int, _ point: WeightedPoint) throws(E) -> Void
  ) throws(E) {
    var line = -1
    for stroke in strokes {
      var walker = CentreLine(spacing: spacing)
      try stroke.finalisedInk(by: kind) { (segment, beginsLine) throws(E) in
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
    try advance(to: segment.point(at: 0), body)
    let steps = CentreLine.steps(segment, spacing: spacing)
    guard steps > 1 else { return try advance(to: segment.end, body) }
    for step in 1..<steps {
      try advance(to: segment.point(at: Float(step) / Float(steps)), body)
    }
    try advance(to: segment.end, body)
  }

  /// Advances to a point, by way of intermediate points if it is far.
  ///
  /// The steps of a curve are short enough, but a model may leave a hole between segments.
  private mutating func advance<E: Error>(
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

  /// The number of equal parameter steps that are no longer than the spacing.
  ///
  /// A Bézier curve of degree n is nowhere faster than n times its longest leg.
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

  /// The number of steps, at least 1; NaN counts as 1.
  private static func steps(_ length: Float, _ spacing: Float) -> Int {
    Int(min(max(1, (length / spacing).rounded(.up)), 0x1p30))
  }
}

extension Stroke {
  /// Draws the stroke and calls `body` with each finalised segment.
  ///
  /// - Parameter body: Also receives whether a line starts with the segment: at the start of the stroke and
  ///   after each gap.
  public func finalisedInk<E: Error>(
    by kind: StrokeModel.Kind, law: WidthLaw = .standard,
    _ body: (_ segment: Segment, _ beginsLine: Bool) throws(E) -> Void
  ) throws(E) {
    var model = StrokeModel(kind, law: law)
    var ink = StrokeInk()
    var beginsLine = true
    var cursor = GapCursor(gaps)
    for (index, sample) in samples.enumerated() {
      let isAfterGap = cursor.isGap(before: index)
      if index > 0, isAfterGap {
        model.end(into: &ink)
        try Stroke.drain(&ink, &beginsLine, body)
      }
      if index == 0 || isAfterGap {
        beginsLine = true
        model.begin(at: sample, into: &ink)
      } else {
        model.extend(to: sample, into: &ink)
      }
      try Stroke.drain(&ink, &beginsLine, body)
    }
    model.end(into: &ink)
    try Stroke.drain(&ink, &beginsLine, body)
  }

  private static func drain<E: Error>(
    _ ink: inout StrokeInk, _ beginsLine: inout Bool, _ body: (Segment, Bool) throws(E) -> Void
  ) throws(E) {
    for index in 0..<ink.finalised.count {
      try body(ink.finalised[index], beginsLine)
      beginsLine = false
    }
    ink.finalised.removeAll()
  }
}
