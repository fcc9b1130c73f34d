internal import Configuration
internal import Linux
internal import Spool

/// Collects figures of pad, spool and certificates for presence and metrics.
final class Monitor {
  /// The spool's figures as last read.
  private(set) var figures = SpoolFigures()
  /// When `work` must be called.
  private(set) var due: Int64 = 0

  private let spool: String
  private let pad: PadLink?
  private let certificates: CertificateExpiry?
  /// Whether a sink or the metrics use the figures: else the spool is not read.
  private let isRead: Bool
  private var lastRead: Int64 = 0
  private var readDue: Int64 = 0
  private var reported: Presence?

  /// Between two readings of the spool, with and without a change of the backlog.
  private static let shortest: Int64 = 10_000_000_000
  private static let longest: Int64 = 60_000_000_000

  init(_ configuration: HandoffConfiguration, seed: UInt64) {
    spool = configuration.spool
    certificates =
      configuration.certificates.isEmpty ? nil : CertificateExpiry(configuration.certificates)
    isRead =
      configuration.metrics != nil || configuration.sinks.contains { $0.publishesPresence }
    pad = isRead ? configuration.pad.map { PadLink($0, seed: seed) } : nil
  }

  /// For poll(2); −1: none.
  var padNumbers: (watch: Int32, info: Int32) {
    (pad?.watchNumber ?? -1, pad?.infoNumber ?? -1)
  }
  /// The pad's status; nil: no pad is configured.
  var status: PadStatus? { pad?.status }
  /// When the first certificate expires, in seconds since 1970; nil: unknown.
  var expiry: Int64? { certificates?.earliest }
  /// How many certificates cannot be read; nil: unknown.
  var unreadableCertificates: Int? { certificates?.unreadableCount }

  /// Reads the certificates again at the next `work`.
  func requestCheck() {
    certificates?.requestCheck()
    (readDue, due) = (0, 0)
  }

  /// Updates the figures that are due. Returns the presence if it changed.
  ///
  /// - Parameters:
  ///   - waiting: The number of items that wait; nil: unknown.
  ///   - oldest: The oldest of them.
  func work(waiting: Int?, oldest: () -> ItemID?, at now: Int64) -> Presence? {
    guard isRead else {
      due = .max
      return nil
    }
    let before = status
    pad?.work(at: now)
    if waiting != figures.waiting { readDue = min(readDue, lastRead + Self.shortest) }
    let isDue = now >= readDue
    if isDue {
      (lastRead, readDue) = (now, now + Self.longest)
      certificates?.work(at: now)
      figures.read(spool, at: now)
      figures.waiting = waiting
      figures.oldest = oldest().map { $0.signingTime(in: spool) ?? $0.time }
    }
    due = min(readDue, pad?.due ?? .max)
    if !isDue && status == before { return nil }
    let presence = Presence(
      pad: status ?? PadStatus(), waiting: figures.waiting, oldest: figures.oldest,
      failed: figures.failed,
      freeBytes: figures.freeBytes, lastSignature: figures.lastSignature, expiry: expiry)
    if presence == reported { return nil }
    reported = presence
    return presence
  }
}
