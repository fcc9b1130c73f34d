internal import CLinux
internal import Linux

extension Spool {
  /// Makes the folders that are missing, the spool's own among them, and opens it. Folders that are
  /// there keep their mode and owner.
  public static func create(at path: String) throws(SpoolError) -> Spool {
    if try makeRoot(path) { try syncParent(of: path) }
    return try open(at: path)
  }

  /// Makes the folders that are missing in a spool, but never the spool itself: where its filesystem
  /// is not mounted, signatures would go to the disk below, and out of sight.
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

  /// True if it was not there.
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
    var bytes = Array(path.utf8)
    let slash = UInt8(ascii: "/")
    while bytes.count > 1 && bytes.last == slash { bytes.removeLast() }
    while let last = bytes.last, last != slash { bytes.removeLast() }
    let parent = bytes.isEmpty ? "." : String(decoding: bytes, as: UTF8.self)
    try spooling { () throws(SystemError) in try Folder(parent).sync() }
  }
}
