internal import CLinux

/// The metadata of a file (stat(2)).
public struct FileStatus: Sendable {
  /// The type of a file.
  public enum Kind: Sendable {
    /// A regular file.
    case file
    /// A directory.
    case folder
    /// A symbolic link.
    case link
    /// A device, a socket or a FIFO.
    case other
  }

  /// The type of the file.
  public let kind: Kind
  /// The size in bytes.
  public let size: Int64
  /// The permission bits, including set-user-id, set-group-id and sticky.
  public let mode: UInt32
  /// The ids of the owner and the group.
  public let owner: UInt32, group: UInt32
  /// The ids of the filesystem and of the file in it.
  public let device: UInt64, inode: UInt64
  /// The time of the last change of content, in seconds since 1970.
  public let modified: Int64
  /// The time of the last change of content or metadata, in nanoseconds since 1970.
  public let changed: Int64
  /// The number of hard links; 0 for a removed file.
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
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
  }

  /// Reads the metadata of a path and follows links (stat(2)).
  public init(of path: String) throws(SystemError) {
    var status = stat()
    _ = try SystemError.naming("stat", path) { () throws(Errno) in
      try Errno.check { unsafe stat(path, &status) }
    }
    self.init(status)
  }

  /// Whether two paths name the same file or folder; for one that does not exist, whether they are the same path.
  public static func areSame(_ one: String, _ other: String) -> Bool {
    guard let first = try? FileStatus(of: one), let second = try? FileStatus(of: other) else {
      return withoutEnd(one).isSame(as: withoutEnd(other))
    }
    return first.device == second.device && first.inode == second.inode
  }

  /// Whether the path has an access control list (acl(5)), which may permit more than the mode.
  public static func hasAccessList(_ path: String) -> Bool {
    unsafe getxattr(path, "system.posix_acl_access", nil, 0) > 0
  }

  /// The path without slashes at its end.
  private static func withoutEnd(_ path: String) -> String {
    var bytes = path.utf8[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
    return String(Substring(bytes))
  }
}

extension FileDescriptor {
  /// Reads the metadata of the open file (fstat(2)).
  public borrowing func status() throws(Errno) -> FileStatus {
    var status = stat()
    let number = number
    _ = try Errno.check { unsafe fstat(number, &status) }
    return FileStatus(status)
  }

  /// Sets the mode regardless of the umask (fchmod(2)).
  public borrowing func setMode(_ mode: UInt32) throws(Errno) {
    let number = number
    _ = try Errno.check { fchmod(number, mode_t(mode)) }
  }

  /// Waits for an exclusive lock of the file (flock(2)).
  ///
  /// Closing the last descriptor of this open file releases the lock.
  public borrowing func lock() throws(Errno) {
    let number = number
    _ = try Errno.check { flock(number, LOCK_EX) }
  }

  /// Takes a shared lock without waiting; false if another open file holds an exclusive one.
  public borrowing func tryLockShared() throws(Errno) -> Bool { try tryLock(LOCK_SH) }

  /// Takes an exclusive lock without waiting; false if another open file holds it.
  public borrowing func tryLock() throws(Errno) -> Bool { try tryLock(LOCK_EX) }

  /// Releases the lock.
  public borrowing func unlock() throws(Errno) {
    let number = number
    _ = try Errno.check { flock(number, LOCK_UN) }
  }

  private borrowing func tryLock(_ kind: Int32) throws(Errno) -> Bool {
    let number = number
    do throws(Errno) {
      _ = try Errno.check { flock(number, kind | LOCK_NB) }
      return true
    } catch {
      if error.rawValue == EWOULDBLOCK { return false }
      throw error
    }
  }
}

/// The free space of a filesystem (statvfs(3)).
public struct FreeSpace: Sendable, Equatable {
  /// The bytes that are free for unprivileged users.
  public let bytes: Int64
  /// The number of free inodes; `Int64.max` if the filesystem has no fixed number.
  public let files: Int64
  /// Whether the filesystem is mounted read-only.
  public let isReadOnly: Bool
}

extension Folder {
  /// Reads the free space of this folder's filesystem.
  public borrowing func freeSpace() throws(SystemError) -> FreeSpace {
    var status = statvfs()
    let number = descriptor.number
    _ = try SystemError.naming("statvfs", path) { () throws(Errno) in
      try Errno.check { unsafe fstatvfs(number, &status) }
    }
    let blocks = Int64(clamping: status.f_bavail)
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return FreeSpace(
      bytes: overflow ? .max : bytes,
      // btrfs has no table of inodes and reports 0 of 0.
      files: status.f_files == 0 ? .max : Int64(clamping: status.f_favail),
      isReadOnly: status.f_flag & UInt(ST_RDONLY) != 0)
  }
}
