/// The reports that share the newest knot: those of a fast panel, less than 6 ms after its first.
struct SharedKnot: BitwiseCopyable, Sendable {
  /// Reports within these ticks share a knot.
  private static let span: Float = 0.6
  private static let most: Float = 4
  /// A trembling panel's reports are averaged, a calm one's last report is taken: mm² between them.
  private static let calm: Float = 0.0004

  /// Ticks from the knot before to the first report, and from there to the newest.
  private var opening: Float = 0
  private var offset: Float = 0
  private var count: Float = 0
  private var places = Point.zero
  private var offsets: Float = 0
  /// Ticks from the knot to the newest report.
  private(set) var since: Float = 0

  /// The first report of a knot, `elapsed` ticks after the newest of the knot before. Returns the ticks
  /// from that knot to this one.
  @inline(__always)
  mutating func open(_ place: Point, after elapsed: Float) -> Float {
    let interval = since + elapsed
    opening = interval
    (offset, offsets, since) = (0, 0, 0)
    places = place
    count = 1
    return interval
  }

  /// Whether a report `elapsed` ticks later belongs to the knot; only on panels that are always fast.
  func admits(after elapsed: Float, period: Float) -> Bool {
    period < SharedKnot.span && offset + elapsed < SharedKnot.span && count < SharedKnot.most
  }

  /// Another report. `noise` is the panel's mean square error in mm².
  mutating func join(_ place: Point, after elapsed: Float, noise: Float) -> Point {
    offset += elapsed
    offsets += offset
    places += place
    count += 1
    let mean = noise / (noise + SharedKnot.calm)
    let centre = offset + mean * (offsets / count - offset)
    since = offset - centre
    return place + mean * (places / count - place)
  }

  /// Ticks from the knot before to this one.
  @inline(__always)
  var interval: Float { opening + offset - since }
}
