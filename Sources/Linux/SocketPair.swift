internal import CLinux

/// Two connected Unix stream sockets (socketpair(2)), closed on exec.
public struct SocketPair: ~Copyable {
  /// This program's end.
  public let own: FileDescriptor
  /// The end for another process.
  public let other: FileDescriptor

  /// Creates a pair.
  public init() throws(Errno) {
    var ends: (Int32, Int32) = (-1, -1)
    _ = try Errno.check {
      unsafe withUnsafeMutableBytes(of: &ends) { bytes in
        unsafe CLinux_socketPair(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
      }
    }
    own = FileDescriptor(owning: ends.0)
    other = FileDescriptor(owning: ends.1)
  }

  /// Closes the other process's end and returns this program's.
  public consuming func closingOther() -> FileDescriptor { own }
}

extension FileDescriptor {
  /// Tells the peer of a socket that nothing more will be sent (shutdown(2)).
  public borrowing func endSending() { _ = CLinux_endSending(number) }
}
