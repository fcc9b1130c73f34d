internal import CLinux

/// Notices that the machine has slept and is awake again.
///
/// No process is told of that. A timer on CLOCK_REALTIME can ask to be cancelled when this clock jumps
/// (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET), and it jumps on each resume. Somebody may also have set
/// it: then CLOCK_BOOTTIME, which counts sleep, has not moved away from CLOCK_MONOTONIC, which does not.
public struct ResumeWatch: ~Copyable {
  private let descriptor: FileDescriptor
  private var slept: Int64

  /// For poll(2).
  public var number: Int32 { descriptor.number }

  /// Sees what happens from here on.
  public init() throws(Errno) {
    slept = Self.timeAsleep
    descriptor = try Self.timer()
  }

  private static func timer() throws(Errno) -> FileDescriptor {
    let timer = FileDescriptor(
      owning: try Errno.check {
        timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
      })
    let number = timer.number
    var never = itimerspec()
    never.it_value.tv_sec = time_t.max
    let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
    _ = try Errno.check { unsafe timerfd_settime(number, flags, &never, nil) }
    return timer
  }

  /// Whether the machine has slept since last asked. Allocates nothing.
  public mutating func take() -> Bool {
    var count: UInt64 = 0
    // ECANCELED, once for each jump.
    _ = unsafe read(descriptor.number, &count, 8)
    return wasAsleep(Self.timeAsleep)
  }

  /// The two clocks are read one after the other: what is less than a hundredth of a second is that.
  mutating func wasAsleep(_ total: Int64) -> Bool {
    defer { slept = total }
    return total - slept > 10_000_000
  }

  /// Since the machine was started, in nanoseconds.
  private static var timeAsleep: Int64 {
    let awake = MonotonicClock.now
    return MonotonicClock.read(CLOCK_BOOTTIME) - awake
  }
}
