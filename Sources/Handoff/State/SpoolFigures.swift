internal import Linux
internal import Spool

/// How much is in the spool, and how much fits.
struct SpoolFigures: Equatable, Sendable {
  /// The numbers of items.
  var waiting = 0, failed = 0, delivered = 0
  /// When the oldest waiting item was signed, in nanoseconds since 1970.
  var oldest: Int64?
  /// Free bytes and inodes of the filesystem; nil: unknown, or without a limit.
  var freeBytes: Int64?, freeFiles: Int64?
  /// When the last signature was published, in seconds since 1970; nil: never.
  var lastSignature: Int64?

  /// Reads what only the spool knows. What cannot be read stays as it was.
  mutating func read(_ path: String) {
    guard let spool = try? Spool(at: path) else { return }
    if let ids = try? Spool.ids(in: spool.failed) { failed = ids.count }
    if let ids = try? Spool.ids(in: spool.delivered) { delivered = ids.count }
    if let space = try? spool.new.freeSpace() {
      freeBytes = space.bytes
      freeFiles = space.files == .max ? nil : space.files
    }
    // The counter is written for each signature.
    lastSignature = (try? spool.root.status(of: "sequence"))?.modified
  }
}
