internal import CLinux
internal import Linux

extension Folder {
  /// Replaces a file atomically, and a folder of that name. `synced`: the file is on the disk when this returns.
  borrowing func replaceFile(
    _ name: String, _ bytes: [UInt8], synced: Bool
  ) throws(SystemError) {
    let temporary = name + ".new"
    try removeTree(temporary)
    try writeFile(temporary, bytes, synced: synced)
    do throws(SystemError) {
      try rename(temporary, to: self, as: name)
    } catch {
      if error.errno.rawValue != EISDIR { throw error }
      try removeTree(name)
      try rename(temporary, to: self, as: name)
    }
    if synced { try sync() }
  }

  /// Creates a file. `synced`: its content is on the disk when this returns.
  borrowing func writeFile(
    _ name: String, _ bytes: [UInt8], synced: Bool = true
  ) throws(SystemError) {
    let file = try makeFile(name, mode: Spool.fileMode)
    try SystemError.naming("write", path + "/" + name) { () throws(Errno) in
      try file.writeAll(bytes)
    }
    guard synced else { return }
    // The kernel reports a write error once, and then treats the lost pages as clean.
    try SystemError.naming("fsync", path + "/" + name) { () throws(Errno) in try file.sync() }
  }

  /// Opens or creates a folder durably. Replaces a foreign object of that name.
  borrowing func openOrMakeFolder(_ name: String) throws(SystemError) -> Folder {
    do throws(SystemError) {
      return try Folder(name, in: self)
    } catch {
      if !error.isForeign { throw error }
      if error.errno.rawValue != ENOENT { try removeTree(name) }
    }
    let made = try makeFolder(name, mode: Spool.folderMode)
    try sync()
    return made
  }
}
