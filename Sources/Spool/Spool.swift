internal import CLinux
public import Linux

/// The open spool: the one contract between the daemon that publishes and the one that delivers.
///
/// Open it for a piece of work and let it go: a descriptor that is kept would go on writing into a
/// folder that has been replaced or a filesystem that has been mounted over.
public struct Spool: ~Copyable, Sendable {
  /// The folder of everything.
  public let root: Folder
  /// Being written.
  public let tmp: Folder
  /// Published: whole or not there.
  public let new: Folder
  /// What handoff knows about the items in `new` and `failed`.
  public let state: Folder
  /// Set aside by handoff.
  public let failed: Folder
  /// Delivered and kept for a while.
  public let delivered: Folder

  static let folderNames = ["tmp", "new", "state", "failed", "delivered"]
  static let folderMode: UInt32 = 0o2770
  static let fileMode: UInt32 = 0o640

  /// Opens a spool, and refuses one that cannot keep its promise: a part that is missing, not ours to
  /// write, open to everybody, or on another filesystem than the rest.
  public init(at path: String) throws(SpoolError) {
    let root = try spooling { () throws(SystemError) in try Folder(path) }
    let device = try Self.check(root, device: nil)
    let tmp = try Self.open("tmp", in: root, device)
    let new = try Self.open("new", in: root, device)
    let state = try Self.open("state", in: root, device)
    let failed = try Self.open("failed", in: root, device)
    let delivered = try Self.open("delivered", in: root, device)
    self.root = root
    self.tmp = tmp
    self.new = new
    self.state = state
    self.failed = failed
    self.delivered = delivered
  }

  private static func open(
    _ name: String, in root: borrowing Folder, _ device: UInt64
  ) throws(SpoolError) -> Folder {
    let folder: Folder
    do throws(SystemError) {
      folder = try Folder(name, in: root)
    } catch {
      if error.errno.rawValue != ENOTDIR && error.errno.rawValue != ELOOP { throw .system(error) }
      throw .invalid(path: error.subject, reason: "is not a folder")
    }
    _ = try check(folder, device: device)
    return folder
  }

  private static func check(
    _ folder: borrowing Folder, device: UInt64?
  ) throws(SpoolError) -> UInt64 {
    let status = try spooling { () throws(SystemError) in try folder.status() }
    if status.mode & 0o002 != 0 {
      throw .invalid(path: folder.path, reason: "is writable for everybody: chmod o-w it")
    }
    if let device, status.device != device {
      throw .invalid(
        path: folder.path, reason: "is on another filesystem than the rest of the spool")
    }
    try spooling { () throws(SystemError) in try folder.checkWritable() }
    return status.device
  }
}
