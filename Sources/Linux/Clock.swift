internal import CLinux

/// CLOCK_MONOTONIC, the clock of the kernel's input timestamps.
public enum MonotonicClock {
  /// Nanoseconds since an arbitrary start.
  public static var now: Int64 { read(CLOCK_MONOTONIC) }

  static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// CLOCK_REALTIME, for people and manifests; never for delays or ordering.
public enum WallClock {
  /// Nanoseconds since 1970-01-01 UTC.
  public static var now: Int64 { MonotonicClock.read(CLOCK_REALTIME) }

  /// The time in seconds since 1970; nil: the clock is not synchronised, and dates mean nothing.
  public static var trustedSeconds: Int64? { isSynchronized ? now / 1_000_000_000 : nil }

  /// Whether the kernel regards the clock as synchronised (adjtimex(2), STA_UNSYNC).
  public static var isSynchronized: Bool {
    var state = timex()
    let result = unsafe adjtimex(&state)
    // A sandbox may forbid even to read it.
    return result >= 0 && result != TIME_ERROR && state.status & STA_UNSYNC == 0
  }

  /// Formats a time as RFC 3339 in UTC with milliseconds: "2026-11-21T05:02:57.123Z".
  public static func text(_ nanoseconds: Int64) -> String {
    var seconds = time_t(nanoseconds / 1_000_000_000)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    let milliseconds = Int(nanoseconds / 1_000_000 % 1000)
    let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map {
      padded(Int($0), 2)
    }
    let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }
    return "\(date[0])-\(date[1])-\(date[2])T\(clock[0]):\(clock[1]):\(clock[2])."
      + "\(padded(milliseconds, 3))Z"
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
