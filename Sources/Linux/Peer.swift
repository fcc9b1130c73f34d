internal import CLinux

/// Who is at the other side of a Unix socket, as the kernel saw it when it was connected (SO_PEERCRED,
/// unix(7)).
public struct Peer: Equatable, Sendable {
  /// The process.
  public let process: Int32
  /// Its effective user.
  public let user: UInt32

  /// A peer.
  public init(process: Int32, user: UInt32) {
    self.process = process
    self.user = user
  }

  /// The other side of a connected socket.
  public init(of socket: borrowing FileDescriptor) throws(Errno) {
    let number = socket.number
    var credentials = CLinux_credentials()
    _ = try Errno.check { unsafe CLinux_peer(number, &credentials) }
    self.init(process: credentials.process, user: credentials.user)
  }

  /// The effective user of this process.
  public static var ownUser: UInt32 { geteuid() }
}
