internal import CLinux

/// A timer on CLOCK_MONOTONIC with a descriptor for poll(2) (timerfd_create(2)).
public struct TimerDescriptor: ~Copyable {
  private let descriptor: FileDescriptor
  private var armed: Int64?

  /// The descriptor for poll(2): readable after the timer has expired.
  public var number: Int32 { descriptor.number }

  /// Creates a disarmed timer.
  public init() throws(Errno) {
    descriptor = FileDescriptor(
      owning: try Errno.check {
        timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
      })
  }

  /// Arms the timer for a time in nanoseconds of CLOCK_MONOTONIC; nil disarms it.
  ///
  /// A time in the past expires at once. Setting the same time again makes no system call.
  public mutating func set(_ moment: Int64?) {
    if moment == armed { return }
    armed = moment
    var time = itimerspec()
    if let moment {
      let moment = max(1, moment)  // 0 would disarm
      time.it_value.tv_sec = time_t(moment / 1_000_000_000)
      time.it_value.tv_nsec = Int(moment % 1_000_000_000)
    }
    _ = unsafe timerfd_settime(number, Int32(TFD_TIMER_ABSTIME), &time, nil)
  }

  /// Makes the descriptor unreadable until the timer expires again.
  public mutating func clear() {
    var count: UInt64 = 0
    if unsafe read(number, &count, 8) == 8 { armed = nil }
  }
}
