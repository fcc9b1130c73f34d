internal import CLinux
internal import Linux

/// Writes counters and gauges of this run to a file in Prometheus' text format. They contain no personal data.
final class Metrics {
  /// The counters of a sink.
  struct Sink {
    let name: String
    var delivered: UInt64 = 0
    var failures: UInt64 = 0
    var refusals: UInt64 = 0
    /// By `FailureKind`, in the order of its cases.
    var kinds = [UInt64](repeating: 0, count: FailureKind.allCases.count)
    /// When it accepted the last item, in nanoseconds since 1970; nil: not in this run.
    var lastSuccess: Int64?
  }

  /// The current state of a sink.
  struct Gauges {
    var waiting: Int
    /// Whether failures have opened its circuit breaker.
    var isPaused: Bool
    var isHeld = false
    /// Nil: it keeps no connection.
    var isConnected: Bool?
    var conflicts = 0
    var rejectedStatus = 0
    /// Connections that failed between deliveries, by `FailureKind` in the order of its cases.
    var connectionFailures = [UInt64](repeating: 0, count: FailureKind.allCases.count)
  }

  /// The gauges, which are read when the file is written.
  struct Observation {
    var sinks: [Gauges]
    /// Nil: no pad is configured.
    var pad: PadStatus?
    var spool = SpoolFigures()
    /// Whether the spool, or an item in it, cannot be read or moved.
    var isSpoolUnreadable = false
    /// When the first certificate expires, in seconds since 1970.
    var expiry: Int64?
    /// How many certificates cannot be read; nil: unknown.
    var unreadableCertificates: Int?
    /// The wall clock, in nanoseconds since 1970.
    var time: Int64 = 0
  }

  /// Nil: nothing is written.
  private let path: String?
  private(set) var sinks: [Sink]
  private(set) var failedItems: UInt64 = 0
  /// Nil: no time stamps are configured.
  var timestamps: TimestampMetrics?
  private var isChanged = true
  private var earliest: Int64 = 0
  private var heartbeat: Int64 = 0

  private static let interval: Int64 = 10_000_000_000
  private static let heartbeatInterval: Int64 = 60_000_000_000

  init(sinks names: [String], path: String? = nil) {
    sinks = names.map { Sink(name: $0) }
    self.path = path
  }

  func countDelivery(_ sink: Int, at time: Int64 = WallClock.now) {
    sinks[sink].delivered += 1
    sinks[sink].lastSuccess = time
    isChanged = true
  }

  func countFailure(_ sink: Int) {
    sinks[sink].failures += 1
    isChanged = true
  }

  func countFailure(_ sink: Int, _ kind: FailureKind) {
    guard let index = FailureKind.allCases.firstIndex(of: kind) else { return }
    sinks[sink].kinds[index] += 1
    isChanged = true
  }

  func countRefusal(_ sink: Int) {
    sinks[sink].refusals += 1
    isChanged = true
  }

  /// Counts an item or foreign entry that was moved to `failed`.
  func countFailedItem() {
    failedItems += 1
    isChanged = true
  }

  /// A gauge changed.
  func setChanged() { isChanged = true }

  /// When the file is due: every 10 seconds at most after a change, and every minute.
  var due: Int64 { path == nil ? .max : isChanged ? earliest : heartbeat }

  /// Writes the file and renames it, as node-exporter's textfile collector requires.
  func write(_ observed: Observation, at now: Int64, _ problems: Problems) {
    earliest = now + Self.interval
    heartbeat = now + Self.heartbeatInterval
    isChanged = false
    guard let path else { return }
    let temporary = path + ".new"
    do throws(SystemError) {
      try SystemError.naming("write", temporary) { () throws(Errno) in
        let file = try FileDescriptor(
          opening: temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o644)
        try file.setMode(0o644)
        try file.writeAll(text(observed))
      }
      try SystemError.naming("rename", path) { () throws(Errno) in
        _ = try Errno.check { unsafe rename(temporary, path) }
      }
      problems.resolve(.metrics)
    } catch {
      // Written again after the interval.
      isChanged = true
      problems.report(.metrics, error.text)
    }
  }

  /// The exposition format, version 0.0.4.
  func text(_ observed: Observation) -> String { MetricsText(self, observed).text }
}
