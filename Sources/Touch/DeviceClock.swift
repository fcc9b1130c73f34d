/// Converts the device's own clock, MSC_TIMESTAMP, to the kernel's time.
///
/// The kernel stamps reports on arrival, which the bus delays by milliseconds; the device stamps its measurements.
/// Its clock counts microseconds in 32 bits and wraps after 71 minutes. Some devices restart it after a pause, on
/// others it stands still.
///
/// In public logs, clocks are up to 1.5 % slow; others count reports instead of time, at 0.44 to 1.23 of the kernel's
/// rate. The rate is therefore measured: a clock within 3 % is corrected, any other is not used.
struct DeviceClock {
  /// A report by the device's clock, and the kernel's time minus the device's.
  struct Report: BitwiseCopyable {
    var device: Int64 = 0
    var difference: Int64 = 0
  }

  /// A larger delay means that the two clocks are unrelated.
  private static let longestDelay: Int64 = 100_000_000
  /// The longest delay while the rate is unknown, above the 8 ms between two polls of USB.
  private static let firstDelay: Int64 = 10_000_000
  /// The number of reports of which the quickest is compared: those of 0.3 s at 120 Hz.
  private static let windowLength: Int32 = 32
  /// The least time between two quickest reports that are compared.
  ///
  /// If their delays differ by 8 ms, the rate is wrong by 1.6 %: a clock within 1.5 % always passes, one beyond 5 %
  /// never does.
  private static let leastSpan: Int64 = 512_000_000

  private var last: UInt32?
  private var lastKernel: Int64 = 0
  /// The device's clock without wraps, in nanoseconds.
  private var device: Int64 = 0
  /// The kernel's time minus the device's, as in the quickest reports.
  private var offset: Int64 = 0
  /// By how much the offset rises in 65536 ns of the device.
  private var drift: Int64 = 0
  /// Whether the device's clock is used.
  private var isUsed = true
  private var delayLimit = DeviceClock.firstDelay
  /// The quickest report of the window, and the number of reports in it.
  private var quickest = Report()
  private var count: Int32 = 0
  /// The quickest report of an earlier window.
  private var earlier: Report?

  /// The time of a report that arrived at `kernel` and says `microseconds`; never later than `kernel`.
  mutating func time(_ microseconds: UInt32, at kernel: Int64) -> Int64 {
    guard let last else { return restart(microseconds, kernel) }
    let step = Int64(microseconds &- last) * 1000
    let elapsed = kernel &- lastKernel
    let limit = DeviceClock.longestDelay
    guard elapsed >= 0, step > 0, (-limit...limit).contains(elapsed &- step) else {
      return restart(microseconds, kernel)
    }
    self.last = microseconds
    lastKernel = kernel
    device &+= step
    offset &+= rise(in: step)
    let difference = kernel &- device
    measure(Report(device: device, difference: difference))
    isUsed = isUsed && difference &- offset <= delayLimit
    offset = isUsed ? min(offset, difference) : difference
    return device &+ offset
  }

  /// Begins anew, with what is known of the rate.
  private mutating func restart(_ microseconds: UInt32, _ kernel: Int64) -> Int64 {
    last = microseconds
    lastKernel = kernel
    device = 0
    offset = kernel
    count = 0
    earlier = nil
    return kernel
  }

  /// By how much the offset rises in this time of the device.
  private func rise(in time: Int64) -> Int64 { (time &* drift) >> 16 }

  /// The offset, if the bus did not delay `report`.
  private func currentOffset(by report: Report) -> Int64 {
    report.difference &+ rise(in: device &- report.device)
  }

  private mutating func measure(_ report: Report) {
    if count == 0 || report.difference <= currentOffset(by: quickest) { quickest = report }
    count &+= 1
    guard count == DeviceClock.windowLength else { return }
    count = 0
    if let earlier { compare(earlier) } else { earlier = quickest }
    // An eighth: the quickest report, too, was delayed.
    offset &+= max(0, currentOffset(by: quickest) &- offset) >> 3
  }

  private mutating func compare(_ earlier: Report) {
    let span = quickest.device &- earlier.device
    guard span >= DeviceClock.leastSpan else { return }
    let change = quickest.difference &- earlier.difference
    let limit = span >> 5
    isUsed = (-limit...limit).contains(change)
    if isUsed {
      drift = (change << 16) / span
      delayLimit = DeviceClock.longestDelay
    }
    self.earlier = quickest
  }
}
