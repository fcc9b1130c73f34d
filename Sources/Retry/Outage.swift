/// Failures in a row, and how long they have lasted.
public struct Outage: Equatable, Sendable {
  /// The number of failures.
  public private(set) var failures: Int
  /// The number of failures after the first hour.
  private(set) var lateFailures = 0
  /// When it began; nil before its first failure.
  private var beginning: Int64?

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
}
