public import Ink

/// What tells a signature from a dot or a slip of the sleeve.
public struct SignatureMeasure: Equatable, Sendable {
  /// Strokes that have a place.
  public private(set) var strokes = 0
  /// Samples in them.
  public private(set) var samples = 0
  /// How far the hand went on the glass, in millimetres; gaps and ways through the air do not count.
  public private(set) var length: Float = 0
  /// From the first sample to the last one, the air between strokes included, in nanoseconds.
  public private(set) var duration: Int64 = 0
  /// Width and height of the rectangle around all samples, in millimetres.
  public private(set) var extent = Point.zero

  /// Measures strokes. Samples without a place do not count, nor do clocks that step back.
  public init(of strokes: [Stroke]) {
    var (from, to) = (Point(.infinity, .infinity), Point(-.infinity, -.infinity))
    var (start, end) = (Int64.max, Int64.min)
    for stroke in strokes {
      let before = samples
      for sample in stroke.samples {
        let place = sample.position
        guard place.x.isFinite, place.y.isFinite else { continue }
        samples += 1
        from = Point(min(from.x, place.x), min(from.y, place.y))
        to = Point(max(to.x, place.x), max(to.y, place.y))
        (start, end) = (min(start, sample.time), max(end, sample.time))
      }
      guard samples > before else { continue }
      self.strokes += 1
      let way = stroke.length
      if way.isFinite { length += way }
    }
    guard samples > 0 else { return }
    extent = to - from
    let (duration, overflow) = end.subtractingReportingOverflow(start)
    self.duration = overflow ? .max : duration
  }

  /// The least that a signature must have; what is 0 is not asked for.
  public struct Minimum: Equatable, Sendable {
    /// Of the way of the hand on the glass, in millimetres.
    public var length: Float
    /// Of strokes.
    public var strokes: Int
    /// From the first sample to the last one, in nanoseconds.
    public var duration: Int64
    /// Of the longer side of the rectangle around it, in millimetres.
    public var extent: Float

    /// By default nothing but the length is asked for.
    public init(length: Float, strokes: Int = 0, duration: Int64 = 0, extent: Float = 0) {
      self.length = length
      self.strokes = strokes
      self.duration = duration
      self.extent = extent
    }
  }

  /// Whether there is enough of everything. No ink at all is never a signature.
  public func reaches(_ minimum: Minimum) -> Bool {
    samples > 0 && length >= minimum.length && strokes >= minimum.strokes
      && duration >= minimum.duration && max(extent.x, extent.y) >= minimum.extent
  }
}
