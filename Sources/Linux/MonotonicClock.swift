internal import CLinux

/// CLOCK_MONOTONIC: the clock that the kernel stamps input frames with.
public enum MonotonicClock {
  /// Nanoseconds since an arbitrary start.
  public static var now: Int64 { read(CLOCK_MONOTONIC) }

  static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
