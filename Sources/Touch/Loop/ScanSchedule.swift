internal import CLinux
internal import Linux

/// When to scan the nodes of input devices. Pure: times are parameters, in nanoseconds of CLOCK_MONOTONIC.
struct ScanSchedule {
  /// Why the last scan could not open every device that may draw.
  enum Obstacle: Equatable {
    case none
    /// Another program has grabbed a device.
    case busy
    /// A device could not be opened.
    case refused
    /// inotify does not work.
    case unwatched
  }

  /// After a device appeared, udev may still set permissions, links and properties.
  private static let settleTime: Int64 = 3_000_000_000
  private static let settleInterval: Int64 = 300_000_000
  /// For changes that the kernel does not announce.
  private static let retryInterval: Int64 = 2_000_000_000
  /// Most refusals are permanent, and each scan opens all devices.
  private static let refusedInterval: Int64 = 10_000_000_000
  /// A scan that is due during a signature is delayed.
  private static let delay: Int64 = 1_000_000_000

  private var settlesUntil: Int64
  private var isPostponed = false
  private var obstacle = Obstacle.none
  /// Events of devices wake the thread more often than scans are due.
  private var due = Int64.min

  /// A schedule whose first scan is due now.
  init(now: Int64) { settlesUntil = now + ScanSchedule.settleTime }

  /// The timeout for poll(2) in milliseconds; −1 without one.
  func milliseconds(at now: Int64) -> Int32 {
    interval(at: now).map { Int32(clamping: $0 / 1_000_000) } ?? -1
  }

  /// Scans often for a while: a node appeared, went or changed.
  mutating func settle(at now: Int64) { settlesUntil = now + ScanSchedule.settleTime }

  /// Delays a scan that is due.
  mutating func postpone(at now: Int64) {
    isPostponed = true
    due = now + ScanSchedule.delay
  }

  /// Whether a scan is due; schedules the next one.
  mutating func isDue(at now: Int64, isNotified: Bool) -> Bool {
    if isNotified { settle(at: now) }
    guard let interval = interval(at: now), now >= due || (isNotified && !isPostponed) else {
      return false
    }
    due = now + interval
    isPostponed = false
    return true
  }

  /// Records the result of a scan.
  mutating func recordScan(_ obstacle: Obstacle) { self.obstacle = obstacle }

  private func interval(at now: Int64) -> Int64? {
    if isPostponed { return ScanSchedule.delay }
    if now < settlesUntil { return ScanSchedule.settleInterval }
    return switch obstacle {
    case .none: nil
    case .busy, .unwatched: ScanSchedule.retryInterval
    case .refused: ScanSchedule.refusedInterval
    }
  }
}

/// Why a scan found no device that draws.
struct ScanReport {
  /// The obstacle that a later scan may find resolved.
  private(set) var obstacle = ScanSchedule.Obstacle.none
  private var reasons: [String] = []

  /// Adds a device that should not draw.
  mutating func add(_ label: String, _ reason: String) { reasons.append("\(label): \(reason)") }

  /// Adds a device that could not be opened or grabbed.
  mutating func addFailure(_ label: String, _ error: Errno) {
    if error.rawValue == EBUSY {
      obstacle = .busy
    } else if obstacle == .none && error.rawValue != ENOENT {
      obstacle = .refused
    }
    add(label, error.rawValue == EBUSY ? "grabbed by another program" : error.text)
  }

  /// The report as a line for the log.
  var text: String {
    if reasons.isEmpty { return "device: no touchscreen found" }
    return "device: no usable touchscreen: " + reasons.joined(separator: "; ")
  }
}
