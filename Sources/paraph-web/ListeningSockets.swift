internal import CLinux
internal import CNetwork
internal import Configuration
internal import Linux
internal import Web

/// The sockets that clients connect to: those of systemd, or those of the configuration.
struct ListeningSockets {
  /// A listening socket.
  final class Listener {
    let channel: WebRequest.Channel
    private let socket: FileDescriptor
    /// The file of a Unix socket.
    private let file: SocketListener?
    private let port: UInt16

    fileprivate init(
      _ socket: consuming FileDescriptor, _ file: consuming SocketListener? = nil
    ) throws(Errno) {
      var port: UInt16 = 0
      let number = socket.number
      let reach = try Errno.check { unsafe CNetwork_reach(number, &port) }
      channel = reach == 0 ? .unix : reach == 1 ? .loopback : .network
      self.socket = socket
      self.file = file
      self.port = port
    }

    var number: Int32 { socket.number }
    /// The port of a socket of loopback.
    var localPort: UInt16? { channel == .loopback ? port : nil }

    /// Accepts the next connection; nil: none waits.
    func accept() throws(Errno) -> FileDescriptor? {
      let number = number
      do throws(Errno) {
        let accepted = FileDescriptor(owning: try Errno.check { CLinux_accept(number) })
        if channel != .unix { CNetwork_tune(accepted.number) }
        return accepted
      } catch {
        if error.rawValue == EAGAIN || error.rawValue == ECONNABORTED { return nil }
        throw error
      }
    }
  }

  private let listeners: [Listener]
  /// Whether systemd has started the program for a connection, and does so again.
  let isActivated: Bool

  /// The number of sockets.
  var count: Int { listeners.count }
  /// A socket.
  subscript(index: Int) -> Listener { listeners[index] }
  /// The ports of sockets of loopback.
  var localPorts: [UInt16] { listeners.compactMap { $0.localPort } }

  init(_ configured: [WebConfiguration.Listener]) throws(SystemError) {
    let passed = ListeningSockets.passed()
    isActivated = passed > 0
    var listeners: [Listener] = []
    // SD_LISTEN_FDS_START
    for number in 3..<(3 + passed) {
      _ = CLinux_setCloseOnExec(number)
      _ = CLinux_setNonBlocking(number)
      do throws(Errno) {
        listeners.append(try Listener(FileDescriptor(owning: number)))
      } catch { throw SystemError("getsockname", "socket \(number) of systemd", error) }
    }
    if !isActivated {
      for place in configured { listeners.append(try ListeningSockets.open(place)) }
    }
    self.listeners = listeners
  }

  /// The number of sockets that systemd has passed (sd_listen_fds(3)).
  private static func passed() -> Int32 {
    func number(_ name: String) -> Int32? {
      guard let value = unsafe getenv(name) else { return nil }
      return Int32(unsafe String(cString: value))
    }
    guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS") else { return 0 }
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
    return max(0, min(count, 64))
  }

  private static func open(_ place: WebConfiguration.Listener) throws(SystemError) -> Listener {
    switch place {
    case .address(let address, let port):
      let subject = "\(address) port \(port)"
      return try SystemError.naming("listen", subject) { () throws(Errno) in
        try Listener(
          FileDescriptor(
            owning: try Errno.check { unsafe CNetwork_listen(address, port) }))
      }
    case .path(let path):
      let file = try SocketListener(path: path, mode: 0o660)
      do throws(Errno) {
        let number = file.number
        let copy = FileDescriptor(owning: try Errno.check { dup(number) })
        _ = CLinux_setCloseOnExec(copy.number)
        return try Listener(copy, file)
      } catch { throw SystemError("dup", path, error) }
    }
  }
}
