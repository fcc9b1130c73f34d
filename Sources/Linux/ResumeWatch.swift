internal import CLinux

/// Detects that the machine was suspended and has resumed.
///
/// A timer on CLOCK_REALTIME is cancelled when that clock jumps (timerfd_create(2),
/// TFD_TIMER_CANCEL_ON_SET), and it jumps on each resume. If the clock was merely set, CLOCK_BOOTTIME, which
/// counts sleep, has not advanced relative to CLOCK_MONOTONIC, which does not.
public struct ResumeWatch: ~Copyable {
  private let descriptor: FileDescriptor
  private var slept: Int64

  /// The descriptor for poll(2).
  public var number: Int32 { descriptor.number }

  /// Detects suspends from now on.
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

  /// Whether the machine was suspended since the last call. Allocates nothing.
  public mutating func hasResumed() -> Bool {
    var count: UInt64 = 0
    // Fails with ECANCELED once per jump.
    _ = unsafe read(descriptor.number, &count, 8)
    return wasAsleep(Self.timeAsleep)
  }

  /// Ignores differences below 10 ms, since the two clocks are read one after the other.
  mutating func wasAsleep(_ total: Int64) -> Bool {
    defer { slept = total }
    return total - slept > 10_000_000
  }

  /// The time asleep since boot, in nanoseconds.
  private static var timeAsleep: Int64 {
    let awake = MonotonicClock.now
    return MonotonicClock.read(CLOCK_BOOTTIME) - awake
  }
}
