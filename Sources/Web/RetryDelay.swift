internal import Retry

/// The time until the pad is tried again, which grows while it keeps failing soon after.
///
/// Unlike `Backoff.delay`, it is never below half of the limit: each new watch makes the pad send all present ink. The
/// random part separates the services of a fleet.
struct RetryDelay {
  private static let backoff = Backoff(first: WebLimits.retry, longest: WebLimits.longestRetry)

  private var failures = 0
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The delay after a failure, in nanoseconds.
  ///
  /// - Parameter duration: How long the connection that failed has lasted, in nanoseconds.
  mutating func next(after duration: Int64) -> Int64 {
    failures = duration >= WebLimits.stability ? 1 : min(failures, 64) + 1
    let limit = RetryDelay.backoff.limit(after: failures)
    return random.number(in: limit / 2, limit)
  }
}
