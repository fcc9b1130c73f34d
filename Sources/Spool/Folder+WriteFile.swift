internal import Linux

extension Folder {
  /// A file with this content instead of what had the name before: one or the other, never half.
  borrowing func replaceFile(
    _ name: String, _ bytes: [UInt8], synced: Bool
  ) throws(SystemError) {
    let temporary = name + ".new"
    try removeTree(temporary)
    try writeFile(temporary, bytes, synced: synced)
    try rename(temporary, to: self, as: name)
    if synced { try sync() }
  }

  /// A new file with this content; `synced`: on the disk.
  borrowing func writeFile(
    _ name: String, _ bytes: [UInt8], synced: Bool = true
  ) throws(SystemError) {
    let file = try makeFile(name, mode: Spool.fileMode)
    try SystemError.naming("write", path + "/" + name) { () throws(Errno) in
      try file.writeAll(bytes)
    }
    guard synced else { return }
    // An error here counts: the kernel reports it once and then holds the lost pages for clean.
    try SystemError.naming("fsync", path + "/" + name) { () throws(Errno) in try file.sync() }
  }
}
