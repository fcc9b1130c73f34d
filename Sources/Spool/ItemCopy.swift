internal import CLinux
public import Linux
internal import Nettle

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
    let temporary = try Self.unfinishedName(of: name)
    do throws(SystemError) {
      let copy = try write(as: temporary, in: folder)
      try checkWhole(copy)
      try folder.publish(temporary, as: name)
      // From here on `removeUnfinishedCopies` may remove the copy, because the lock is released.
      _ = consume copy
    } catch {
      // Otherwise the copy would fill the disk, and keep the ink of a signature that is erased.
      try? folder.removeTree(temporary)
      // Another writer may have copied the item meanwhile.
      guard case .same? = try? presence(in: folder) else { throw error }
    }
    try folder.syncIfPossible()
    return nil
  }

  /// Removes unfinished copies whose writers have ended: at once if only this machine has the item,
  /// otherwise after a day. Returns whether some are left.
  ///
  /// A writer holds a lock, which the kernel releases at its end. A network filesystem may have
  /// separate locks for each machine, hence the day. What cannot be removed stays.
  @discardableResult
  public static func removeUnfinishedCopies(
    in folder: borrowing Folder, at seconds: Int64 = WallClock.now / 1_000_000_000,
    isOwn: (ItemID) -> Bool = { _ in false }
  ) -> Bool {
    guard let names = try? folder.names() else { return true }
    var areLeft = false
    for name in names {
      guard let id = unfinishedID(name) else { continue }
      let changed = (try? folder.status(of: name).modified) ?? seconds
      if isOwn(id) || seconds - changed > day, (try? folder.removeAbandoned(name)) == true {
        continue
      }
      areLeft = true
    }
    return areLeft
  }

  private static let day: Int64 = 86_400

  /// The name of a copy that is being written: ".ID.RANDOM.part".
  ///
  /// No other copy ever has this name, so that removing or publishing by name affects only this
  /// copy.
  private static func unfinishedName(of name: String) throws(SystemError) -> String {
    let bits = try SystemError.naming("getrandom", "") { () throws(Errno) in
      try Randomness.bits()
    }
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
    return ".\(name).\(Hexadecimal.text(bytes)).part"
  }

  /// The item of an unfinished copy with this name, also with that of older versions: ".ID.part".
  private static func unfinishedID(_ name: String) -> ItemID? {
    guard name.utf8.first == UInt8(ascii: ".") else { return nil }
    let parts = name.utf8.split(separator: UInt8(ascii: "."))
    guard parts.count == 2 || parts.count == 3 && parts[1].count == 16,
      parts[parts.count - 1].elementsEqual("part".utf8)
    else { return nil }
    return ItemID(String(decoding: parts[0], as: UTF8.self))
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

  /// Another machine may have removed files of the copy (`removeUnfinishedCopies`).
  private func checkWhole(_ copy: borrowing Folder) throws(SystemError) {
    for file in files where try copy.status(of: file.name).size != Int64(file.bytes.count) {
      throw SystemError("write", copy.path + "/" + file.name, Errno(EIO))
    }
  }

  /// Returns the copy, which is locked as long as it is open.
  private func write(
    as temporary: String, in folder: borrowing Folder
  ) throws(SystemError) -> Folder {
    let copy = try folder.makeSharedFolder(temporary, mode: Spool.folderMode)
    try copy.lockIfPossible()
    for file in files {
      let path = copy.path + "/" + file.name
      let open = try copy.makeSharedFile(file.name, mode: Spool.fileMode)
      try SystemError.naming("write", path) { () throws(Errno) in try open.writeAll(file.bytes) }
      try SystemError.naming("fsync", path) { () throws(Errno) in try open.sync() }
    }
    try copy.syncIfPossible()
    return copy
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

  /// Locks a copy while it is written. On a filesystem without locks, `removeAbandoned` cannot lock
  /// it either, and removes nothing.
  fileprivate borrowing func lockIfPossible() throws(SystemError) {
    var isLocked = true
    do throws(Errno) {
      isLocked = try descriptor.tryLock()
    } catch { if !error.isUnsupportedLock { throw SystemError("flock", path, error) } }
    // `removeAbandoned` has locked the copy first.
    if !isLocked { throw SystemError("flock", path, Errno(EWOULDBLOCK)) }
  }

  /// Removes a copy unless its writer holds the lock. Returns whether it is removed.
  fileprivate borrowing func removeAbandoned(_ name: String) throws(SystemError) -> Bool {
    let copy = try Folder(name, in: self)
    guard (try? copy.descriptor.tryLock()) == true else { return false }
    // If the copy was published after it was opened, the name does not exist any more.
    try removeTree(name)
    _ = consume copy
    return true
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
  fileprivate var isUnsupportedLock: Bool { [EINVAL, ENOLCK, ENOSYS, ENOTSUP].contains(rawValue) }
}
