internal import CLinux
internal import Configuration
internal import Linux

extension Courier {
  private static let metricsPause: Int64 = 10_000_000_000

  /// Writes the counters if they have changed: a whole file under another name, then renamed, as
  /// node-exporter's textfile collector asks for.
  func writeMetrics(at now: Int64) {
    metricsDue = now + Self.metricsPause
    metrics.isChanged = false
    guard let path = configuration.metrics else { return metricsDue = .max }
    let gauges = queues.map { Metrics.Gauges(waiting: $0.count, isPaused: $0.isPaused) }
    let temporary = path + ".new"
    do throws(SystemError) {
      try SystemError.naming("write", temporary) { () throws(Errno) in
        let file = try FileDescriptor(
          opening: temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o644)
        try file.setMode(0o644)
        try file.writeAll(metrics.text(gauges))
      }
      try SystemError.naming("rename", path) { () throws(Errno) in
        _ = try Errno.check { unsafe rename(temporary, path) }
      }
      clear(.metrics)
    } catch { note(.metrics, error.text) }
  }
}
