internal import Retry

/// The time until the pad is tried again, which grows while it keeps failing soon after.
///
/// It is random, between half of the limit and the limit: a watch of the pad costs it all ink of now.
struct RetryDelay {
  private static let backoff = Backoff(first: WebLimits.retry, longest: WebLimits.longestRetry)

  private var failures = 0
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The delay after a failure, in nanoseconds.
  ///
  /// - Parameter duration: How long the connection that failed has lasted, in nanoseconds.
  mutating func next(after duration: Int64) -> Int64 {
    failures = duration >= WebLimits.stability ? 1 : min(failures + 1, 64)
    let limit = RetryDelay.backoff.limit(after: failures)
    return random.number(in: limit / 2, limit)
  }
}
