internal import CLinux
internal import Linux

extension Spool {
  /// Removes from `tmp` what nobody writes any more, and returns how much that was. A writer holds a
  /// lock, which the kernel takes away when it dies, by crash or by power cut.
  public borrowing func removeLeftovers() throws(SpoolError) -> Int {
    var count = 0
    for name in try spooling({ () throws(SystemError) in try tmp.names() }) {
      // The counter's next value, written under the lock of the root.
      if name == Self.sequenceName { continue }
      if try isLocked(name) { continue }
      try spooling { () throws(SystemError) in try tmp.removeTree(name) }
      count += 1
    }
    return count
  }

  private borrowing func isLocked(_ name: String) throws(SpoolError) -> Bool {
    do throws(SystemError) {
      let folder = try Folder(name, in: tmp)
      return try SystemError.naming("flock", folder.path) { () throws(Errno) in
        try !folder.descriptor.tryLock()
      }
    } catch {
      // Not a folder, or gone: no draft.
      if [ENOTDIR, ELOOP, ENOENT].contains(error.errno.rawValue) { return false }
      throw .system(error)
    }
  }
}
