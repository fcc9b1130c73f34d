internal import CLinux
public import Linux

/// Why an item cannot be copied into a folder.
public enum ItemConflict: Equatable, Sendable {
  /// The item's name is taken by an object that is not a folder.
  case notAFolder
  /// The item's name is taken by a folder with other content.
  case otherContent
}

extension Item {
  /// Copies the item into a folder of any filesystem, atomically and durably.
  ///
  /// Never replaces anything. An existing copy is kept, also if files were added to it. Returns nil if the
  /// folder contains the item now.
  public func copy(into folder: borrowing Folder) throws(SystemError) -> ItemConflict? {
    let name = manifest.id.text
    switch try presence(in: folder) {
    case .absent: break
    case .same:
      // The rename of an interrupted copy may not be on the disk yet.
      try folder.syncIfPossible()
      return nil
    case .conflict(let conflict): return conflict
    }
    let temporary = ".\(name).part"
    try write(as: temporary, in: folder)
    try folder.publish(temporary, as: name)
    try folder.syncIfPossible()
    return nil
  }

  private enum Presence {
    case absent
    case same
    case conflict(ItemConflict)
  }

  private func presence(in folder: borrowing Folder) throws(SystemError) -> Presence {
    do throws(SystemError) {
      if try folder.status(of: manifest.id.text).kind != .folder { return .conflict(.notAFolder) }
    } catch {
      if error.errno.rawValue == ENOENT { return .absent }
      throw error
    }
    do throws(Failure) {
      // The receiver may have added files of its own.
      let existing = try Item(manifest.id, in: folder, allowingMore: true)
      return existing.manifest == manifest ? .same : .conflict(.otherContent)
    } catch {
      switch error {
      // The receiver has just removed it.
      case .gone: return .absent
      case .invalid: return .conflict(.otherContent)
      case .system(let error): throw error
      }
    }
  }

  private func write(as temporary: String, in folder: borrowing Folder) throws(SystemError) {
    try folder.removeTree(temporary)
    let copy = try folder.makeSharedFolder(temporary, mode: Spool.folderMode)
    for file in files {
      let path = copy.path + "/" + file.name
      let open = try copy.makeSharedFile(file.name, mode: Spool.fileMode)
      try SystemError.naming("write", path) { () throws(Errno) in try open.writeAll(file.bytes) }
      try SystemError.naming("fsync", path) { () throws(Errno) in try open.sync() }
    }
    try copy.syncIfPossible()
  }
}

/// Operations for filesystems of others, which may lack modes (vfat, SMB) or system calls (NFS).
extension Folder {
  fileprivate borrowing func makeSharedFolder(
    _ name: String, mode: UInt32
  ) throws(SystemError) -> Folder {
    do throws(SystemError) {
      return try makeFolder(name, mode: mode)
    } catch { if error.call != "chmod" || !error.errno.isUnsupportedMode { throw error } }
    return try Folder(name, in: self)
  }

  fileprivate borrowing func makeSharedFile(
    _ name: String, mode: UInt32
  ) throws(SystemError) -> FileDescriptor {
    try SystemError.naming("open", path + "/" + name) { () throws(Errno) in
      let file = try FileDescriptor(
        opening: name, in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
      do throws(Errno) {
        try file.setMode(mode)
      } catch { if !error.isUnsupportedMode { throw error } }
      return file
    }
  }

  /// Renames a temporary folder without replacing anything. NFS and some FUSE filesystems lack
  /// RENAME_NOREPLACE; a plain rename replaces empty folders only.
  fileprivate borrowing func publish(
    _ temporary: String, as name: String
  ) throws(SystemError) {
    do throws(SystemError) {
      try move(temporary, to: self, as: name)
    } catch {
      if error.errno.rawValue != EINVAL && error.errno.rawValue != ENOSYS { throw error }
      try rename(temporary, to: self, as: name)
    }
  }

  /// Synchronises the folder. Ignores EINVAL of network filesystems, which cannot.
  fileprivate borrowing func syncIfPossible() throws(SystemError) {
    do throws(SystemError) {
      try sync()
    } catch { if error.errno.rawValue != EINVAL { throw error } }
  }
}

extension Errno {
  fileprivate var isUnsupportedMode: Bool { rawValue == EPERM || rawValue == ENOTSUP }
}
