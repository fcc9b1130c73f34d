internal import CLinux

/// A listening Unix stream socket.
public struct SocketListener: ~Copyable {
  private let descriptor: FileDescriptor
  /// The socket's file, which `deinit` removes; empty if the service manager owns it.
  private let path: String
  /// The identity of the file, since another process may have replaced it.
  private let file: Identity?

  /// Filesystem, inode and time of change; most filesystems reuse inode numbers at once.
  private struct Identity: Equatable {
    let device: UInt64, inode: UInt64
    let seconds: Int64, nanoseconds: Int64

    init(_ status: stat) {
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
      (seconds, nanoseconds) = (Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec))
    }
  }

  /// The descriptor for poll(2): readable while a connection waits for `accept`.
  public var number: Int32 { descriptor.number }

  /// Creates a socket file with exactly this mode and listens.
  ///
  /// Replaces the socket of a dead process. Throws EADDRINUSE if a process listens there, even if it accepts no
  /// connections. A nil owner or group is not changed.
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
      // No client can connect before owner and mode are set: the file inherits the socket's mode
      // (unix_bind_bsd of net/unix/af_unix.c). The umask is shared by all threads.
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
    // After chown and chmod, which change the time of change.
    file = (try? Self.status(path)).map { Identity($0) }
  }

  /// Takes the socket that the service manager passed (sd_listen_fds(3)); nil if it passed none.
  ///
  /// Works once: it clears the environment variables.
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

  /// Accepts the next connection; nil if none waits.
  public borrowing func accept() throws(Errno) -> FileDescriptor? {
    let number = number
    do throws(Errno) {
      return FileDescriptor(owning: try Errno.check { CLinux_accept(number) })
    } catch {
      switch error.rawValue {
      // ECONNABORTED: the client disconnected before it was accepted.
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

  /// Whether a process listens at the path, or may listen.
  ///
  /// Only ECONNREFUSED proves that the process is dead. EAGAIN means that its queue is full because it accepts
  /// no connections (unix_stream_connect of net/unix/af_unix.c).
  private static func isInUse(_ path: String) -> Bool {
    func probe() -> Int32 {
      do throws(Errno) {
        _ = try FileDescriptor(connectingTo: path)
        return 0
      } catch { return error.rawValue }
    }
    var result = probe()
    // A process that was killed between bind(2) and chmod(2) leaves a file of mode 0.
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

/// The process and user that connected a Unix socket (SO_PEERCRED, unix(7)).
public struct Peer: Equatable, Sendable {
  /// The process id.
  public let process: Int32
  /// The effective user id.
  public let user: UInt32

  /// A peer of a process id and a user id.
  public init(process: Int32, user: UInt32) {
    self.process = process
    self.user = user
  }

  /// Reads the peer of a connected socket.
  public init(of socket: borrowing FileDescriptor) throws(Errno) {
    let number = socket.number
    var credentials = CLinux_credentials()
    _ = try Errno.check { unsafe CLinux_peer(number, &credentials) }
    self.init(process: credentials.process, user: credentials.user)
  }

  /// The name of its program (proc_pid_comm(5)), which the program can change; nil: unknown.
  ///
  /// Another process may have its number by now. From Linux 6.5 on, that is noticed.
  public func program(on socket: borrowing FileDescriptor) -> String? {
    // 0: a process of another namespace.
    guard process > 0 else { return nil }
    let number = CLinux_peerProcess(socket.number)
    let error = Errno.current.rawValue
    // An older kernel, or a process that has ended.
    if number < 0 && error != ENOPROTOOPT { return nil }
    guard let name = Folder.line(of: "/proc/\(process)/comm") else { return nil }
    if number >= 0 {
      let handle = FileDescriptor(owning: number)
      var poll = Poll()
      poll.add(handle.number)
      // Readable: it has ended, and the name may be another's.
      if (try? poll.wait(milliseconds: 0)) != false { return nil }
    }
    let text = String(
      decoding: name.utf8.map { $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// The effective user id of this process.
  public static var ownUser: UInt32 { geteuid() }
}
