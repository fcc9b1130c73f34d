import Configuration
import Linux
import SpoolFixtures
import Testing

@testable import Handoff

@Suite struct MetricsTests {
  /// Everything that can be observed.
  static var observation: Metrics.Observation {
    var observed = Metrics.Observation(sinks: [
      .init(waiting: 3, isPaused: false, isHeld: true),
      .init(
        waiting: 0, isPaused: true, isConnected: true, conflicts: 2, rejectedStatus: 4,
        connectionFailures: [3, 2, 0, 0, 0, 0, 0, 0, 0]),
    ])
    observed.pad = PadStatus(state: "signing", touch: true, panel: false)
    observed.spool = SpoolFigures(
      waiting: 3, failed: 1, delivered: 7, oldest: 1_000_000_000_000_000_000, freeBytes: 4096,
      freeFiles: 12, lastSignature: 1_000_000_100)
    observed.unreadableCertificates = 1
    (observed.expiry, observed.time) = (2_000_000_000, 1_000_000_200_000_000_000)
    return observed
  }

  func metrics() -> Metrics {
    let metrics = Metrics(sinks: ["one", "two"])
    metrics.countDelivery(0, at: 5_000_000_000)
    metrics.countDelivery(0, at: 6_000_000_000)
    metrics.countFailure(1)
    metrics.countFailure(1, .tls)
    metrics.countRefusal(1)
    metrics.countFailedItem()
    return metrics
  }

  /// Without comments.
  func samples(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0) }.filter { !$0.hasPrefix("#") }
  }

  @Test func `counters and gauges are written in Prometheus's format`() {
    let text = metrics().text(Self.observation)
    #expect(text.hasSuffix("\n# EOF\n"))
    let samples = samples(text)
    for line in [
      "paraph_handoff_delivered_total{sink=\"one\"} 2",
      "paraph_handoff_delivered_total{sink=\"two\"} 0",
      "paraph_handoff_failed_attempts_total{sink=\"two\"} 1",
      "paraph_handoff_failures_total{sink=\"two\",kind=\"tls\"} 3",
      "paraph_handoff_failures_total{sink=\"two\",kind=\"network\"} 3",
      "paraph_handoff_failures_total{sink=\"one\",kind=\"tls\"} 0",
      "paraph_handoff_refused_total{sink=\"two\"} 1", "paraph_handoff_set_aside_total 1",
      "paraph_handoff_client_conflicts_total{sink=\"two\"} 2",
      "paraph_handoff_last_success_timestamp_seconds{sink=\"one\"} 6",
      "paraph_handoff_waiting{sink=\"one\"} 3", "paraph_handoff_sink_up{sink=\"one\"} 1",
      "paraph_handoff_sink_up{sink=\"two\"} 0", "paraph_handoff_sink_paused{sink=\"two\"} 1",
      "paraph_handoff_sink_held{sink=\"one\"} 1",
      "paraph_handoff_heartbeat_timestamp_seconds 1000000200",
      "paraph_build_info{version=\"\(DaemonArguments.version)\"} 1",
      "paraph_spool_items{state=\"new\"} 3", "paraph_spool_items{state=\"failed\"} 1",
      "paraph_spool_items{state=\"delivered\"} 7", "paraph_spool_oldest_age_seconds 200",
      "paraph_spool_free_bytes 4096", "paraph_spool_free_inodes 12", "paraph_spool_unreadable 0",
      "paraph_spool_last_signature_timestamp_seconds 1000000100",
      "paraph_pad_state{state=\"signing\"} 1", "paraph_pad_state{state=\"idle\"} 0",
      "paraph_pad_touch 1", "paraph_pad_panel 0",
      "paraph_certificate_expiry_timestamp_seconds 2000000000", "paraph_certificate_unreadable 1",
      "paraph_handoff_rejected_status_total{sink=\"two\"} 4",
    ] { #expect(samples.contains(line), "\(line)") }
  }

  @Test func `what is unknown has no sample, and an unknown state of the pad is named so`() {
    var observed = Metrics.Observation(sinks: [
      .init(waiting: 0, isPaused: false), .init(waiting: 0, isPaused: false),
    ])
    observed.pad = PadStatus(state: "of_a_later_version")
    let text = Metrics(sinks: ["one", "two"]).text(observed)
    for name in [
      "expiry", "certificate_unreadable", "touch", "panel", "free", "last_success", "conflicts",
      "last_signature",
    ] {
      #expect(!text.contains(name), "\(name)")
    }
    #expect(text.contains("paraph_pad_state{state=\"unknown\"} 1\n"))
    #expect(text.contains("paraph_spool_oldest_age_seconds 0\n"))
    observed.pad = nil
    #expect(!Metrics(sinks: ["one", "two"]).text(observed).contains("paraph_pad"))
  }

  @Test func `a spool that cannot be read is said to be unreadable, and not to be empty`() {
    var observed = Self.observation
    (observed.spool.waiting, observed.spool.oldest, observed.isSpoolUnreadable) = (nil, nil, true)
    let samples = samples(metrics().text(observed))
    #expect(samples.contains("paraph_spool_unreadable 1"))
    #expect(!samples.contains { $0.contains("state=\"new\"") || $0.contains("oldest_age") })
    #expect(samples.contains("paraph_spool_items{state=\"failed\"} 1"))
  }

  @Test func `promtool accepts the file, and a file with a flaw it does not`() throws {
    let folder = TemporaryFolder()
    let text = metrics().text(Self.observation)
    func check(_ text: String) throws -> ChildProcess.End? {
      try Fixtures.write(folder.path + "/metrics", Array(text.utf8))
      let input = try FileDescriptor(opening: folder.path + "/metrics", 0)
      let log = try Programs.open(folder.path + "/log")
      var child = try ChildProcess(
        "/usr/bin/promtool", ["check", "metrics"], input: input.number, output: log.number,
        error: log.number)
      return try child.wait(milliseconds: 30_000)
    }
    #expect(try check(text) == .exit(0))
    #expect(try check(text + "paraph_pad_panel 1 2 3\n") != .exit(0))
    #expect(try check(Metrics(sinks: []).text(.init(sinks: []))) == .exit(0))
  }

  @Test func `the file is written ten seconds after a change at the soonest, and every minute`() {
    let folder = TemporaryFolder()
    let metrics = Metrics(sinks: ["one"], path: folder.path + "/paraph.prom")
    #expect(metrics.due == 0)
    metrics.write(
      .init(sinks: [.init(waiting: 0, isPaused: false)]), at: 1_000_000_000, Problems { _, _ in })
    #expect(Fixtures.exists(folder.path + "/paraph.prom"))
    #expect(metrics.due == 61_000_000_000)
    metrics.countDelivery(0)
    #expect(metrics.due == 11_000_000_000)
    #expect(Metrics(sinks: ["one"]).due == .max)
  }

  @Test func `a write that fails is repeated after the interval`() {
    let folder = TemporaryFolder()
    let metrics = Metrics(sinks: ["one"], path: folder.path + "/none/paraph.prom")
    metrics.write(
      .init(sinks: [.init(waiting: 0, isPaused: false)]), at: 1_000_000_000, Problems { _, _ in })
    #expect(metrics.due == 11_000_000_000)
  }
}
