internal import CLinux
internal import Linux

/// Folders of others, on filesystems that may know no modes (vfat, SMB): theirs are taken there.
extension Folder {
  borrowing func makeSharedFolder(
    _ name: String, mode: UInt32
  ) throws(SystemError) -> Folder {
    do throws(SystemError) {
      return try makeFolder(name, mode: mode)
    } catch { if error.call != "chmod" || !error.isMissingMode { throw error } }
    return try Folder(name, in: self)
  }

  /// NFS and some FUSE filesystems refuse RENAME_NOREPLACE. A plain rename replaces no folder that has
  /// something in it, and an item always has.
  borrowing func publish(_ temporary: String, as name: String) throws(SystemError) {
    do throws(SystemError) {
      try move(temporary, to: self, as: name)
    } catch {
      if error.errno.rawValue != EINVAL && error.errno.rawValue != ENOSYS { throw error }
      try rename(temporary, to: self, as: name)
    }
  }

  /// Some network filesystems cannot fsync a folder (EINVAL): theirs is the promise then.
  borrowing func syncIfPossible() throws(SystemError) {
    do throws(SystemError) {
      try sync()
    } catch { if error.errno.rawValue != EINVAL { throw error } }
  }

  borrowing func makeSharedFile(
    _ name: String, mode: UInt32
  ) throws(SystemError) -> FileDescriptor {
    try SystemError.naming("open", path + "/" + name) { () throws(Errno) in
      let file = try FileDescriptor(
        opening: name, in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
      do throws(Errno) {
        try file.setMode(mode)
      } catch { if error.rawValue != EPERM && error.rawValue != ENOTSUP { throw error } }
      return file
    }
  }
}

extension SystemError {
  fileprivate var isMissingMode: Bool { errno.rawValue == EPERM || errno.rawValue == ENOTSUP }
}
