/// Failures in a row, how long they have lasted, and the times of attempts.
public struct Outage: Equatable, Sendable {
  /// The number of failures.
  public private(set) var failures: Int
  /// The number of failures after the first hour.
  private(set) var lateFailures = 0
  /// When it began; nil before its first failure.
  private var beginning: Int64?
  /// The place of attempts in their windows, from 0 to 1; nil: before the first window.
  private var place: Double?
  /// The time that was left in the last window after its attempt, in nanoseconds.
  private var rest: Int64 = 0

  private static let hour: Int64 = 3_600_000_000_000

  /// No failure yet.
  ///
  /// - Parameter failures: The number of earlier ones, whose times are unknown.
  public init(failures: Int = 0) { self.failures = max(0, failures) }

  /// The number of failures in the first hour.
  var earlyFailures: Int { failures - lateFailures }

  /// Counts a failure. `now` is of a clock that only advances, in nanoseconds.
  public mutating func fail(at now: Int64) {
    let beginning = self.beginning ?? now
    self.beginning = beginning
    if failures < .max { failures += 1 }
    if now.subtractingReportingOverflow(beginning).partialValue >= Self.hour,
      lateFailures < failures
    {
      lateFailures += 1
    }
  }

  /// The delay from the last attempt, which failed, to the one in the next window. The window is
  /// `limit` long, and no shorter than the one before. `least`: the shortest first delay.
  mutating func delay(within limit: Int64, least: Int64, random: inout SplitMix64) -> Int64 {
    let low = place == nil ? least : 0
    let place = self.place ?? random.fraction()
    self.place = place
    let part = low + Int64(place * Double(min(max(0, limit - low), 1 << 62)))
    let delay = part + min(rest, max(0, limit - part))
    rest = max(0, limit - part)
    return delay
  }

  /// Starts a new window, at a new random place.
  mutating func move() { (place, rest) = (nil, 0) }
}
