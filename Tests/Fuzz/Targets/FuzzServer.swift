#if DEBUG
  import CLinux
  import CNetwork
  import Synchronization

  @testable import Handoff

  /// A server on this machine that answers each request with the bytes it is given, and hangs up.
  final class FuzzServer: @unchecked Sendable {
    static let shared = FuzzServer()

    let port: UInt16
    let cancellation = try? Cancellation()
    let client: HTTPClient
    private let socket: Int32
    private let answers = Mutex<[UInt8]>([])

    private init?() {
      socket = CLinux.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let number = socket
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(number, $0, size) == 0 && listen(number, 16) == 0
            && getsockname(number, $0, &size) == 0
        }
      }
      guard isBound else { return nil }
      port = UInt16(bigEndian: address.sin_port)
      HTTPClient.prepareLibrary()
      client = HTTPClient()
      var thread = pthread_t()
      let this = Unmanaged.passRetained(self).toOpaque()
      pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<FuzzServer>.fromOpaque(context).takeUnretainedValue().serve()
          return nil
        }, this)
    }

    /// What the next requests are answered with.
    func answer(_ bytes: [UInt8]) { answers.withLock { $0 = bytes } }

    private func serve() {
      while true {
        let connection = accept(socket, nil, nil)
        if connection < 0 { continue }
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = recv(connection, &buffer, buffer.count, 0)
        let answer = answers.withLock { $0 }
        _ = answer.withUnsafeBytes {
          send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        CLinux_endSending(connection)
        // Without a reset, which would lose the answer.
        _ = recv(connection, &buffer, buffer.count, 0)
        close(connection)
      }
    }
  }
#endif
