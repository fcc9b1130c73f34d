internal import CLinux

/// A Unix stream socket that others connect to.
public struct SocketListener: ~Copyable {
  private let descriptor: FileDescriptor
  /// The file to be removed at the end; empty where the service manager owns it.
  private let path: String
  /// Which file that is: by its path there may be another's by then.
  private let file: Identity?

  /// Inode numbers are used again at once on most disks: with the time of its last change a file is told from
  /// a later one.
  private struct Identity: Equatable {
    let device: UInt64, inode: UInt64
    let seconds: Int64, nanoseconds: Int64

    init(_ status: stat) {
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
      (seconds, nanoseconds) = (Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec))
    }
  }

  /// For poll(2): readable while somebody waits to be accepted.
  public var number: Int32 { descriptor.number }

  /// Makes a socket file with exactly this mode; nil leaves owner and group as they are. Replaces the socket of
  /// a dead process. Throws EADDRINUSE where a process listens, also one that is stalled and accepts nothing.
  public init(
    path: String, mode: UInt32, owner: UInt32? = nil, group: UInt32? = nil
  ) throws(SystemError) {
    if Self.isInUse(path) { throw SystemError("bind", path, Errno(EADDRINUSE)) }
    if let status = try? Self.status(path), CLinux_isSocket(status.st_mode) != 0 {
      unsafe unlink(path)
    }
    let descriptor = try SystemError.naming("socket", path) { () throws(Errno) in
      try FileDescriptor.localSocket()
    }
    let number = descriptor.number
    try SystemError.naming("bind", path) { () throws(Errno) in
      // Nobody connects before owner and mode are right: the file takes its mode from the socket (unix_bind_bsd
      // of net/unix/af_unix.c). The umask would do it too, but belongs to all threads.
      try descriptor.setMode(0)
      _ = try Errno.check { unsafe CLinux_bindUnix(number, path) }
    }
    try SystemError.naming("chown", path) { () throws(Errno) in
      guard owner != nil || group != nil else { return }
      _ = try Errno.check { unsafe chown(path, owner ?? .max, group ?? .max) }
    }
    try SystemError.naming("chmod", path) { () throws(Errno) in
      _ = try Errno.check { unsafe chmod(path, mode_t(mode)) }
    }
    try SystemError.naming("listen", path) { () throws(Errno) in
      _ = try Errno.check { listen(number, 64) }
    }
    self.descriptor = descriptor
    self.path = path
    // After the last change of owner and mode, which count as changes.
    file = (try? Self.status(path)).map { Identity($0) }
  }

  /// The socket that the service manager has opened for this process (sd_listen_fds(3)); nil if it has
  /// not. It can be had once.
  public init?(activated: Void) {
    let first: Int32 = 3  // SD_LISTEN_FDS_START
    defer {
      unsafe unsetenv("LISTEN_PID")
      unsafe unsetenv("LISTEN_FDS")
      unsafe unsetenv("LISTEN_FDNAMES")
    }
    guard Self.number("LISTEN_PID") == getpid(), (Self.number("LISTEN_FDS") ?? 0) >= 1 else {
      return nil
    }
    _ = CLinux_setCloseOnExec(first)
    _ = CLinux_setNonBlocking(first)
    descriptor = FileDescriptor(owning: first)
    path = ""
    file = nil
  }

  deinit {
    guard let file, let status = try? Self.status(path), Identity(status) == file else { return }
    unsafe unlink(path)
  }

  /// The next connection; nil if nobody waits.
  public borrowing func accept() throws(Errno) -> FileDescriptor? {
    let number = number
    do throws(Errno) {
      return FileDescriptor(owning: try Errno.check { CLinux_accept(number) })
    } catch {
      switch error.rawValue {
      // Who was gone before it was accepted is nobody's fault.
      case EAGAIN, ECONNABORTED: return nil
      default: throw error
      }
    }
  }

  private static func number(_ name: String) -> Int32? {
    guard let value = unsafe getenv(name) else { return nil }
    return Int32(unsafe String(cString: value))
  }

  private static func status(_ path: String) throws(Errno) -> stat {
    var status = stat()
    _ = try Errno.check { unsafe lstat(path, &status) }
    return status
  }

  /// Whether a process listens there, or may: only ECONNREFUSED proves that it is dead. EAGAIN means that its
  /// queue is full because it accepts nothing (unix_stream_connect of net/unix/af_unix.c).
  private static func isInUse(_ path: String) -> Bool {
    func probe() -> Int32 {
      do throws(Errno) {
        _ = try FileDescriptor(connectingTo: path)
        return 0
      } catch { return error.rawValue }
    }
    var result = probe()
    // A process that was killed between bind(2) and chmod(2) leaves a file that nobody may connect to.
    if result == EACCES, let status = try? status(path), status.st_uid == Peer.ownUser,
      CLinux_isSocket(status.st_mode) != 0
    {
      unsafe chmod(path, status.st_mode & 0o7777 | 0o200)
      result = probe()
      if result != ECONNREFUSED { unsafe chmod(path, status.st_mode & 0o7777) }
    }
    switch result {
    case ECONNREFUSED, ENOENT, ENOTSOCK, ENOTDIR, ENAMETOOLONG: return false
    default: return true
    }
  }
}
