/// The time between reports as the hand felt it: kernel stamps, mended where they cannot be true.
struct ReportClock: BitwiseCopyable, Sendable {
  /// Nanoseconds in a tick of 10 ms, the models' unit of time.
  static let tick: Float = 10_000_000
  /// Nothing was reported for so long that the hand could have been anywhere: 100 ms.
  static let gap: Float = 10

  private var last: Int64
  /// The usual time between two reports, in ticks.
  private(set) var period: Float = 0.8

  init(_ time: Int64) { last = time }

  /// Whether `time` is that of the report before.
  func stands(at time: Int64) -> Bool { time == last }

  /// Ticks since the last report. Time that stands still or runs backwards counts as one period; of
  /// reports that came in a bunch the later ones count as most of a period.
  @inline(__always)
  mutating func advance(to time: Int64) -> Float {
    // The difference of two Int64 fits into UInt64, so that no stamp can overflow it.
    let passed =
      time > last
      ? Float(UInt64(bitPattern: time) &- UInt64(bitPattern: last)) * (1 / ReportClock.tick) : 0
    last = time
    let usual = period
    guard passed > 0 else { return usual }
    if passed < ReportClock.gap {
      period += 0.2 * (min(passed, 2 * usual) - usual)
    }
    return max(passed, max(0.6 * usual, 0.02))
  }
}
