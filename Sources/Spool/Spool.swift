internal import CLinux
public import Linux

/// The open spool: the interface between the pad, which publishes, and handoff, which delivers.
///
/// Open it for one task and close it afterwards. A descriptor that is kept would write into a folder that
/// was replaced, or below a filesystem that was mounted later.
public struct Spool: ~Copyable, Sendable {
  /// The spool's own folder.
  public let root: Folder
  /// Holds drafts.
  public let tmp: Folder
  /// Holds published items, always whole.
  public let new: Folder
  /// Holds handoff's records about items in `new` and `failed`.
  public let state: Folder
  /// Holds failed items.
  public let failed: Folder
  /// Holds delivered items until their retention time ends.
  public let delivered: Folder

  /// A folder that holds items.
  public enum Place: String, CaseIterable, Sendable {
    /// Items that wait for delivery.
    case new
    /// Items that failed.
    case failed
    /// Items that were delivered and are retained.
    case delivered
  }

  static let folderMode: UInt32 = 0o2770
  static let fileMode: UInt32 = 0o640
  static let folderNames = ["tmp", "new", "state", "failed", "delivered"]

  /// Opens a spool. Refuses a folder that is missing, not writable, writable by everybody, or on another
  /// filesystem than the rest.
  ///
  /// - Parameter forReading: Accepts a spool that is not writable, as on a disk that fails.
  public init(at path: String, forReading: Bool = false) throws(SpoolError) {
    let root = try spooling { () throws(SystemError) in try Folder(path) }
    let device = try Self.check(root, device: nil, forReading)
    let tmp = try Self.open("tmp", in: root, device, forReading)
    let new = try Self.open("new", in: root, device, forReading)
    let state = try Self.open("state", in: root, device, forReading)
    let failed = try Self.open("failed", in: root, device, forReading)
    let delivered = try Self.open("delivered", in: root, device, forReading)
    self.root = root
    self.tmp = tmp
    self.new = new
    self.state = state
    self.failed = failed
    self.delivered = delivered
  }

  /// Creates missing folders, also the spool's own, and opens the spool. Existing folders keep their mode
  /// and owner.
  public static func create(at path: String) throws(SpoolError) -> Spool {
    if try makeRoot(path) { try syncParent(of: path) }
    return try open(at: path)
  }

  /// Creates missing folders inside the spool and opens it. Never creates the spool's own folder: where its
  /// filesystem is not mounted, signatures would go to the disk below.
  public static func open(at path: String) throws(SpoolError) -> Spool {
    let root = try spooling { () throws(SystemError) in try Folder(path) }
    var made = false
    for name in folderNames {
      do throws(SystemError) {
        let folder = try root.makeFolder(name, mode: folderMode)
        try folder.sync()
        made = true
      } catch { if error.errno.rawValue != EEXIST { throw .system(error) } }
    }
    if made { try spooling { () throws(SystemError) in try root.sync() } }
    return try Spool(at: path)
  }

  /// The folder of a place.
  public borrowing func open(_ place: Place) throws(SpoolError) -> Folder {
    try spooling { () throws(SystemError) in try Folder(place.rawValue, in: root) }
  }

  /// The ids of a folder's items, in no order. Skips other names.
  public static func ids(in folder: borrowing Folder) throws(SpoolError) -> [ItemID] {
    var ids: [ItemID] = []
    do throws(SystemError) {
      try folder.forEachName { name in
        if let id = ItemID(name) { ids.append(id) }
        return true
      }
    } catch { throw .system(error) }
    return ids
  }

  /// Whether `tmp` holds a draft with this id. Also true if that cannot be determined. If false,
  /// the item's move into `new` is on the disk.
  public static func hasDraft(_ id: String, at path: String) -> Bool {
    // Any other text could be a path.
    guard ItemID(id) != nil, let tmp = try? Folder(path + "/tmp") else { return true }
    guard let isThere = try? tmp.contains(id), !isThere else { return true }
    do throws(SystemError) {
      // The writer may have been killed before it synchronised the folder, and the signature is
      // acknowledged next.
      try Folder(path + "/new").sync()
      return false
    } catch { return true }
  }

  private static func open(
    _ name: String, in root: borrowing Folder, _ device: UInt64, _ forReading: Bool
  ) throws(SpoolError) -> Folder {
    let folder: Folder
    do throws(SystemError) {
      folder = try Folder(name, in: root)
    } catch {
      if error.errno.rawValue != ENOTDIR && error.errno.rawValue != ELOOP { throw .system(error) }
      throw .invalid(path: error.subject, reason: "is not a folder")
    }
    _ = try check(folder, device: device, forReading)
    return folder
  }

  /// Returns the filesystem's device number.
  private static func check(
    _ folder: borrowing Folder, device: UInt64?, _ forReading: Bool
  ) throws(SpoolError) -> UInt64 {
    let status = try spooling { () throws(SystemError) in try folder.status() }
    if status.mode & 0o002 != 0 {
      throw .invalid(path: folder.path, reason: "is writable by everybody; run chmod o-w on it")
    }
    if let device, status.device != device {
      throw .invalid(
        path: folder.path, reason: "is on another filesystem than the rest of the spool")
    }
    if !forReading { try spooling { () throws(SystemError) in try folder.checkWritable() } }
    return status.device
  }

  /// Returns whether the folder was created.
  private static func makeRoot(_ path: String) throws(SpoolError) -> Bool {
    do throws(Errno) {
      _ = try Errno.check { unsafe mkdir(path, mode_t(folderMode & 0o777)) }
    } catch {
      if error.rawValue == EEXIST { return false }
      throw .call("mkdir", path, error)
    }
    let root = try spooling { () throws(SystemError) in try Folder(path) }
    do throws(Errno) {
      try root.descriptor.setMode(folderMode)
    } catch { throw .call("chmod", path, error) }
    return true
  }

  private static func syncParent(of path: String) throws(SpoolError) {
    let slash = UInt8(ascii: "/")
    var bytes = path.utf8[...]
    while bytes.count > 1 && bytes.last == slash { bytes.removeLast() }
    while let last = bytes.last, last != slash { bytes.removeLast() }
    let parent = bytes.isEmpty ? "." : String(decoding: bytes, as: UTF8.self)
    try spooling { () throws(SystemError) in try Folder(parent).sync() }
  }
}
