internal import Control
internal import Display

extension PanelStatistics {
  /// The latency of ink; nil before the first sample.
  var latency: PadInfo.Latency? {
    guard stampToCommit.count > 0 else { return nil }
    return PadInfo.Latency(
      samples: Int(clamping: stampToCommit.count), p50: stampToCommit.quantile(0.5),
      p99: stampToCommit.quantile(0.99), longest: stampToCommit.longest)
  }

  /// One line for the log; nil before the first sample.
  var report: String? {
    guard let latency else { return nil }
    func text(_ nanoseconds: Int64) -> String { TimeSpan(nanoseconds: nanoseconds).text }
    return "paraph: latency from sample to commit: p50 \(text(latency.p50)), "
      + "p99 \(text(latency.p99)), longest \(text(latency.longest)), \(latency.samples) samples, "
      + "\(lateSamples) late; \(frames) frames, \(missedFlips) missed, \(lostFlips) lost, "
      + "\(modeSets) modes set, \(bytesWritten / max(1, frames)) bytes a frame"
  }
}
