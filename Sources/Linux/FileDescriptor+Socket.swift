internal import CLinux

/// Unix stream sockets.
extension FileDescriptor {
  static func localSocket() throws(Errno) -> FileDescriptor {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return FileDescriptor(owning: try Errno.check { socket(AF_UNIX, kind, 0) })
  }

  /// Connects to the socket of a path. Reading and writing do not block.
  public init(connectingTo path: String) throws(Errno) {
    let made = try FileDescriptor.localSocket()
    let number = made.number
    _ = try Errno.check { unsafe CLinux_connectUnix(number, path) }
    self = made
  }

  /// send(2) without SIGPIPE and without waiting: how many bytes went; 0 if the other side's buffer is
  /// full.
  public borrowing func send(_ bytes: RawSpan) throws(Errno) -> Int {
    let number = number
    var failure: Errno?
    let count = unsafe bytes.withUnsafeBytes { buffer in
      do throws(Errno) {
        return try Errno.checkCount {
          unsafe Int(
            CLinux.send(
              number, buffer.baseAddress, buffer.count,
              Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
        }
      } catch {
        failure = error
        return 0
      }
    }
    if let failure, failure.rawValue != EAGAIN { throw failure }
    return count
  }

  /// Whether the other side of a Unix stream socket has read everything that was sent to it. Throws ECONNRESET
  /// if it closed the socket without.
  ///
  /// A side that closes sets the error before it frees what it has not read (unix_release_sock of
  /// net/unix/af_unix.c), so that an empty queue without an error means that it was read.
  public borrowing func hasPeerReadAll() throws(Errno) -> Bool {
    let number = number
    let unread = try Errno.check { CLinux_unreadByPeer(number) }
    if unread > 0 { return false }
    let error = try Errno.check { CLinux_takeSocketError(number) }
    if error != 0 { throw Errno(error) }
    return true
  }
}
