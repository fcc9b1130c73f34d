/// When the nodes of input devices are to be looked at. Pure: times come in, in nanoseconds of
/// CLOCK_MONOTONIC.
struct ScanSchedule {
  /// What kept the last scan from opening every device that may draw.
  enum Obstacle: Equatable {
    case none
    /// Another program holds a device.
    case busy
    /// A device could not be opened.
    case refused
    /// Notices of new nodes do not come.
    case unwatched
  }

  /// After a device appeared, udev's rules may still give it permissions, links and properties.
  private static let settling: Int64 = 3_000_000_000
  private static let step: Int64 = 300_000_000
  /// What the kernel sends no notice about is tried again.
  private static let retry: Int64 = 2_000_000_000
  /// Most refusals last: each scan opens all devices, and the pad wakes for it.
  private static let slowRetry: Int64 = 10_000_000_000

  /// A scan that is due while somebody signs is put off by so much.
  private static let delay: Int64 = 1_000_000_000

  private var settlesUntil: Int64
  private var isPostponed = false
  private var obstacle = Obstacle.none
  /// Reports of a device wake the thread more often than scans are due.
  private var due = Int64.min

  /// The first scan is due now.
  init(now: Int64) { settlesUntil = now + ScanSchedule.settling }

  /// How long poll(2) may wait, in milliseconds; −1 without limit.
  func milliseconds(at now: Int64) -> Int32 {
    interval(at: now).map { Int32(clamping: $0 / 1_000_000) } ?? -1
  }

  /// A node came, went or changed, or a scan could not be made.
  mutating func settle(at now: Int64) { settlesUntil = now + ScanSchedule.settling }

  /// A scan that is due must wait.
  mutating func postpone(at now: Int64) {
    isPostponed = true
    due = now + ScanSchedule.delay
  }

  /// Whether a scan is due; the next one then is an interval later.
  mutating func isDue(at now: Int64, isNotified: Bool) -> Bool {
    if isNotified { settle(at: now) }
    guard let interval = interval(at: now), now >= due || (isNotified && !isPostponed) else {
      return false
    }
    due = now + interval
    isPostponed = false
    return true
  }

  /// What the scan met.
  mutating func scanned(_ obstacle: Obstacle) { self.obstacle = obstacle }

  private func interval(at now: Int64) -> Int64? {
    if isPostponed { return ScanSchedule.delay }
    if now < settlesUntil { return ScanSchedule.step }
    return switch obstacle {
    case .none: nil
    case .busy, .unwatched: ScanSchedule.retry
    case .refused: ScanSchedule.slowRetry
    }
  }
}
