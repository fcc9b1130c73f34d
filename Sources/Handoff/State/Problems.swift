internal import Linux
internal import Spool

/// The problems that exist now. Logs each one once, and again when its text changes.
final class Problems {
  /// The subject of a problem.
  enum Kind: Hashable {
    /// The spool cannot be read.
    case spool
    /// The spool cannot be watched.
    case watch
    /// A delivery to this sink cannot be recorded.
    case recording(Int)
    /// Failed attempts cannot be recorded.
    case attempts
    /// The metrics cannot be written.
    case metrics
    /// An item cannot be read or moved.
    case item(ItemID)
    /// Retained items cannot be listed.
    case retention
    /// A retained item cannot be removed.
    case retained(ItemID)
    /// Requests to flush a sink cannot be read.
    case flush
    /// Time stamps cannot be marked as missing, or looked for.
    case timestamp
    /// A foreign entry of the spool cannot be moved.
    case foreign([UInt8])
  }

  private var texts: [Kind: String] = [:]
  private let write: Delivery.Log

  init(_ write: @escaping Delivery.Log) { self.write = write }

  /// Writes a log line.
  func log(_ priority: StandardError.Priority, _ text: String) {
    write(priority, "paraph: \(text)")
  }

  /// A problem exists.
  func report(_ kind: Kind, _ text: String) {
    if text != texts[kind] { log(.error, text) }
    texts[kind] = text
  }

  /// A problem does not exist, or no longer.
  func resolve(_ kind: Kind) {
    guard texts.removeValue(forKey: kind) != nil else { return }
    if kind == .spool { log(.notice, "spool: works again") }
  }

  var isSpoolBroken: Bool { texts[.spool] != nil }

  /// Whether the spool, or an item in it, cannot be read or moved.
  var isSpoolUnreadable: Bool {
    texts.keys.contains {
      switch $0 {
      case .spool, .item: true
      default: false
      }
    }
  }

  /// The number of problems that prevent deliveries or their records.
  var undeliveredCount: Int {
    texts.keys.count {
      switch $0 {
      case .spool, .recording, .item: true
      case .watch, .attempts, .metrics, .retention, .retained, .flush, .timestamp, .foreign: false
      }
    }
  }
}
