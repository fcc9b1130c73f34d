internal import CLinux

/// What stat(2) and fstat(2) tell about a file.
public struct FileStatus: Sendable {
  /// The kinds that matter.
  public enum Kind: Sendable {
    /// An ordinary file.
    case file
    /// A directory.
    case folder
    /// A symbolic link, itself.
    case link
    /// A device, a socket or a FIFO.
    case other
  }

  /// What it is.
  public let kind: Kind
  /// In bytes.
  public let size: Int64
  /// The permission bits, with set-user-id, set-group-id and sticky.
  public let mode: UInt32
  /// The user and the group it belongs to.
  public let owner: UInt32, group: UInt32
  /// Which file of which filesystem it is.
  public let device: UInt64, inode: UInt64
  /// When its content was last changed, in seconds of the wall clock.
  public let modified: Int64
  /// How many names it has; 0: none any more.
  public let links: Int

  init(_ status: stat) {
    let format = status.st_mode & mode_t(S_IFMT)
    switch format {
    case mode_t(S_IFREG): kind = .file
    case mode_t(S_IFDIR): kind = .folder
    case mode_t(S_IFLNK): kind = .link
    default: kind = .other
    }
    size = Int64(status.st_size)
    mode = UInt32(status.st_mode & 0o7777)
    (owner, group) = (status.st_uid, status.st_gid)
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    links = Int(status.st_nlink)
    modified = Int64(status.st_mtim.tv_sec)
  }

  /// stat(2) of a path, links followed.
  public init(of path: String) throws(SystemError) {
    var status = stat()
    _ = try SystemError.naming("stat", path) { () throws(Errno) in
      try Errno.check { unsafe stat(path, &status) }
    }
    self.init(status)
  }
}

extension FileDescriptor {
  /// fstat(2).
  public borrowing func status() throws(Errno) -> FileStatus {
    var status = stat()
    let number = number
    _ = try Errno.check { unsafe fstat(number, &status) }
    return FileStatus(status)
  }

  /// fchmod(2): the mode as it is given, whatever the umask.
  public borrowing func setMode(_ mode: UInt32) throws(Errno) {
    let number = number
    _ = try Errno.check { fchmod(number, mode_t(mode)) }
  }

  /// flock(2), exclusive; waits for others to let go. The lock ends with the last descriptor of this
  /// open file.
  public borrowing func lock() throws(Errno) {
    let number = number
    _ = try Errno.check { flock(number, LOCK_EX) }
  }

  /// The same without waiting; false if another open file holds the lock.
  public borrowing func tryLock() throws(Errno) -> Bool {
    let number = number
    do throws(Errno) {
      _ = try Errno.check { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.rawValue == EWOULDBLOCK { return false }
      throw error
    }
  }
}
