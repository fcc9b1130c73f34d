internal import Linux
internal import Spool

/// How much is in the spool, and how much fits.
struct SpoolFigures: Equatable, Sendable {
  /// The number of items that wait; nil: unknown.
  var waiting: Int? = 0
  /// The numbers of other items.
  var failed = 0, delivered = 0
  /// When the oldest waiting item was signed, in nanoseconds since 1970.
  var oldest: Int64?
  /// Free bytes and inodes of the filesystem; nil: unknown, or without a limit.
  var freeBytes: Int64?, freeFiles: Int64?
  /// When the last signature was published, in seconds since 1970; nil: never.
  var lastSignature: Int64?

  /// When the folders were counted, so that large ones are not listed without need.
  var counted = Counted()

  struct Counted: Equatable, Sendable {
    /// The modification of `failed` that was counted, in seconds since 1970; nil: it may have changed since.
    var failed: Int64?
    /// When `delivered` is due.
    var deliveredDue: Int64 = .min
  }

  private static let interval: Int64 = 60_000_000_000

  /// Reads what only the spool knows, also on a disk that has become read-only. What cannot be read stays as it was.
  mutating func read(_ path: String, at now: Int64) {
    guard let spool = try? Spool(at: path, forReading: true) else { return }
    let modified = (try? spool.root.status(of: "failed"))?.modified
    if modified == nil || modified != counted.failed, let ids = try? Spool.ids(in: spool.failed) {
      failed = ids.count
      // The folder may have changed again within the second of its last modification.
      let age = modified.map { WallClock.now / 1_000_000_000 - $0 } ?? 0
      counted.failed = age > 2 ? modified : nil
    }
    if now >= counted.deliveredDue, let ids = try? Spool.ids(in: spool.delivered) {
      delivered = ids.count
      counted.deliveredDue = now + Self.interval
    }
    if let space = try? spool.new.freeSpace() {
      freeBytes = space.bytes
      freeFiles = space.files == .max ? nil : space.files
    }
    // The counter is written for each signature.
    lastSignature = (try? spool.root.status(of: "sequence"))?.modified
  }
}
