internal import CLinux

/// A Unix stream socket that others connect to.
public struct SocketListener: ~Copyable {
  private let descriptor: FileDescriptor
  /// The file to be removed at the end; empty where the service manager owns it.
  private let path: String

  /// For poll(2): readable while somebody waits to be accepted.
  public var number: Int32 { descriptor.number }

  /// Makes a socket file with exactly this mode; nil leaves owner and group as they are. A file that a
  /// dead process left is replaced; one that somebody listens on is not (EADDRINUSE).
  public init(
    path: String, mode: UInt32, owner: UInt32? = nil, group: UInt32? = nil
  ) throws(SystemError) {
    if (try? FileDescriptor(connectingTo: path)) != nil {
      throw SystemError("bind", path, Errno(EADDRINUSE))
    }
    if let status = try? Self.isSocket(path), status { unsafe unlink(path) }
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
  }

  deinit { if !path.isEmpty { unsafe unlink(path) } }

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
    return Int32(decimal: unsafe String(cString: value))
  }

  private static func isSocket(_ path: String) throws(Errno) -> Bool {
    var status = stat()
    _ = try Errno.check { unsafe lstat(path, &status) }
    return CLinux_isSocket(status.st_mode) != 0
  }
}
