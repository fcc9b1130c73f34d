#if canImport(CCallgrind)
  import CCallgrind
#endif
#if canImport(Glibc)
  import Glibc
#else
  import CLinux
#endif

/// Nanoseconds that `body` took, by the clock on the wall.
@inline(__always)
func elapsed(_ body: () -> Void) -> Double {
  let start = nanoseconds(CLOCK_MONOTONIC)
  body()
  return Double(nanoseconds(CLOCK_MONOTONIC) - start)
}

/// Nanoseconds that `body` kept the processor busy: what other programs take does not count.
///
/// Under callgrind, it counts the instructions of `body` only.
@inline(__always)
func measured(_ body: () -> Void) -> Double {
  #if canImport(CCallgrind)
    callgrind_start()
    defer { callgrind_stop() }
  #endif
  let start = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
  body()
  return Double(nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start)
}

@inline(__always)
private func nanoseconds(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

extension [Double] {
  /// The middle one.
  var median: Double { percentile(0.5) }

  func percentile(_ share: Double) -> Double {
    let sorted = self.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[Swift.min(Int(share * Double(sorted.count)), sorted.count - 1)]
  }
}
