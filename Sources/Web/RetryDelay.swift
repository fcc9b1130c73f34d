/// The time until the pad is tried again, which doubles while it keeps failing soon after.
///
/// It is random, between half of that and all of it, so that the services of a fleet do not return at the same time.
struct RetryDelay {
  private var failures = 0
  /// SplitMix64 (Steele et al. 2014). Not for secrets.
  private var random: UInt64

  init(seed: UInt64) { random = seed }

  /// The delay after a failure, in nanoseconds.
  ///
  /// - Parameter duration: How long the connection that failed has lasted, in nanoseconds.
  mutating func next(after duration: Int64) -> Int64 {
    if duration >= WebLimits.stability { failures = 0 }
    var limit = WebLimits.retry
    for _ in 0..<failures where limit < WebLimits.longestRetry { limit *= 2 }
    // More make no difference.
    failures = min(failures + 1, 16)
    limit = min(limit, WebLimits.longestRetry)
    random &+= 0x9e37_79b9_7f4a_7c15
    var mixed = random
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    mixed ^= mixed >> 31
    return limit - Int64(mixed % UInt64(limit / 2 + 1))
  }
}
