internal import CLinux

/// A timerfd(2) on CLOCK_MONOTONIC: a moment that poll(2) waits for to the microsecond.
public struct TimerDescriptor: ~Copyable {
  private let descriptor: FileDescriptor
  private var armed: Int64?

  /// For poll(2): readable from the set moment on.
  public var number: Int32 { descriptor.number }

  /// One that is not set.
  public init() throws(Errno) {
    descriptor = FileDescriptor(
      owning: try Errno.check {
        timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
      })
  }

  /// Sets the moment, in nanoseconds of CLOCK_MONOTONIC; nil: never. To set the same again costs
  /// nothing. A moment in the past is at once.
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

  /// Makes the descriptor unreadable until the next moment.
  public mutating func clear() {
    var count: UInt64 = 0
    if unsafe read(number, &count, 8) == 8 { armed = nil }
  }
}
