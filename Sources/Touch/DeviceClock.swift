/// The device's own clock, MSC_TIMESTAMP, in the kernel's time.
///
/// The kernel stamps a report when it hears of it, which the bus makes early or late by milliseconds; the
/// device says when it measured. Its clock counts microseconds in 32 bits, wraps after 71 minutes, starts
/// anew after a pause on some devices, and stands still on others: where it does not fit the kernel's time
/// it is not used.
struct DeviceClock {
  /// A report that is later than this after what the device says is no late report: the clocks have
  /// nothing to do with one another.
  private static let patience: Int64 = 100_000_000
  /// How much the device's clock may run faster or slower than the kernel's, in parts: 1/2000 is five
  /// times what the worst oscillators do.
  private static let drift: Int64 = 2000

  /// The device's clock without wraps, in nanoseconds.
  private var device: Int64 = 0
  private var last: UInt32?
  private var lastKernel: Int64 = 0
  /// From the device's clock to the kernel's: as small as the quickest report has shown it to be.
  private var offset: Int64 = 0

  /// The time of a report that came at `kernel` and says `microseconds`; never later than `kernel`.
  mutating func time(_ microseconds: UInt32, at kernel: Int64) -> Int64 {
    guard let last else { return start(microseconds, kernel) }
    let step = Int64(microseconds &- last) * 1000
    let elapsed = kernel &- lastKernel
    guard elapsed >= 0, step > 0, step < elapsed &+ DeviceClock.patience else {
      return start(microseconds, kernel)
    }
    self.last = microseconds
    lastKernel = kernel
    device &+= step
    offset &+= elapsed / DeviceClock.drift
    offset = min(offset, kernel &- device)
    let time = device &+ offset
    return kernel &- time > DeviceClock.patience ? start(microseconds, kernel) : time
  }

  private mutating func start(_ microseconds: UInt32, _ kernel: Int64) -> Int64 {
    last = microseconds
    lastKernel = kernel
    device = 0
    offset = kernel
    return kernel
  }
}
