import CLinux
import Linux
import Testing

@Suite struct SocketListenerTests {
  let path = "/tmp/paraph-listener-\(getpid())-\(UInt64.random(in: 0 ... .max))"

  @Test func `the socket has the requested mode, and is removed with its owner`() throws {
    var status = stat()
    do {
      let listener = try SocketListener(path: path, mode: 0o620)
      #expect(listener.number >= 0)
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o620)
    }
    #expect(stat(path, &status) == -1)
  }

  @Test func `nobody can connect before the file has its mode, whatever the umask`() throws {
    var status = stat()
    do {
      let listener = try SocketListener(path: path, mode: 0o620)
      // The socket's own mode, which its file has inherited.
      #expect(fstat(listener.number, &status) == 0 && status.st_mode & 0o777 == 0)
      #expect(listener.number >= 0)
    }
    // The kernel passes it on.
    let socket = FileDescriptor(owning: socket(AF_UNIX, 1, 0))  // SOCK_STREAM
    try socket.setMode(0)
    #expect(CLinux_bindUnix(socket.number, path) == 0)
    defer { unlink(path) }
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0)
  }

  @Test func `listeners made by several threads at once leave the umask of all as it was`() async {
    let before = umask
    await withTaskGroup { group in
      for number in 0..<4 {
        let path = "\(path)-\(number)"
        group.addTask {
          for _ in 0..<1000 { _ = try? SocketListener(path: path, mode: 0o600) }
        }
      }
    }
    #expect(before != nil && umask == before)
  }

  /// The process's, as the kernel tells it.
  var umask: Substring? {
    Folder.content(of: "/proc/self/status").flatMap {
      String(decoding: $0, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
    }
  }

  @Test func `a connection is accepted, with its process and user`() throws {
    let listener = try SocketListener(path: path, mode: 0o600)
    let client = try FileDescriptor(connectingTo: path)
    guard let accepted = try listener.accept() else {
      Issue.record("nobody was accepted")
      return
    }
    #expect(try Peer(of: accepted) == Peer(process: getpid(), user: geteuid()))
    if try listener.accept() != nil { Issue.record("somebody else was accepted") }
    #expect(client.number >= 0)
  }

  @Test func `the socket of a dead process is replaced, that of a living one is not`() throws {
    let dead = socket(AF_UNIX, 1, 0)  // SOCK_STREAM
    #expect(CLinux_bindUnix(dead, path) == 0)
    close(dead)
    let listener = try SocketListener(path: path, mode: 0o600)
    #expect(throws: SystemError("bind", path, Errno(EADDRINUSE))) {
      _ = try SocketListener(path: path, mode: 0o600)
    }
    #expect(listener.number >= 0)
  }

  @Test func `a file that is not a socket is not replaced`() throws {
    _ = try FileDescriptor(opening: path, O_CREAT | O_WRONLY, mode: 0o600)
    defer { unlink(path) }
    #expect(throws: SystemError("bind", path, Errno(EADDRINUSE))) {
      _ = try SocketListener(path: path, mode: 0o600)
    }
  }

  @Test func `a path that is too long is refused`() {
    let long = "/tmp/" + String(repeating: "x", count: 200)
    #expect(throws: SystemError("bind", long, Errno(ENAMETOOLONG))) {
      _ = try SocketListener(path: long, mode: 0o600)
    }
  }

  @Test func `the socket of a living process that accepts nothing is not taken`() throws {
    let stalled = try SocketListener(path: path, mode: 0o600)
    // Its queue is full when the kernel says EAGAIN.
    var waiting: [Connected] = []
    while waiting.count < 1000, let client = Connected(path) { waiting.append(client) }
    #expect(waiting.count < 1000)
    #expect(throws: SystemError("bind", path, Errno(EADDRINUSE))) {
      _ = try SocketListener(path: path, mode: 0o600)
    }
    // It still has its own.
    guard try stalled.accept() != nil else {
      Issue.record("nobody was accepted")
      return
    }
    #expect(Connected(path) != nil)
  }

  @Test func `a listener removes its own file only`() throws {
    var status = stat()
    do {
      let old = try SocketListener(path: path, mode: 0o600)
      // Somebody removed it, and another process listens at its path.
      unlink(path)
      let new = try SocketListener(path: path, mode: 0o600)
      // `old` ends first.
      _ = consume old
      #expect(stat(path, &status) == 0)
      #expect(Connected(path) != nil)
      #expect(new.number >= 0)
    }
    #expect(stat(path, &status) == -1)
  }

  @Test(.enabled(if: geteuid() != 0, "root may connect to any socket"))
  func `an inaccessible socket of a dead process is replaced`() throws {
    let dead = socket(AF_UNIX, 1, 0)  // SOCK_STREAM
    #expect(CLinux_bindUnix(dead, path) == 0)
    close(dead)
    chmod(path, 0)
    let listener = try SocketListener(path: path, mode: 0o600)
    #expect(Connected(path) != nil)
    #expect(listener.number >= 0)
  }

  @Test func `it is known whether the peer has read everything or closed its socket before`() throws
  {
    let listener = try SocketListener(path: path, mode: 0o600)
    func pair() throws -> (server: Connected, client: Connected?) {
      let client = Connected(path)
      guard let server = try listener.accept() else { throw Errno(EAGAIN) }
      return (Connected(server), client)
    }
    var bytes = [UInt8](repeating: 7, count: 4096)
    var (server, client) = try pair()
    #expect(try server.socket.hasPeerReadAll())
    #expect(try server.socket.send(bytes.span.bytes) == 4096)
    #expect(try !server.socket.hasPeerReadAll())
    var span = bytes.mutableSpan
    var raw = span.mutableBytes
    #expect(try client?.socket.read(into: &raw) == 4096)
    #expect(try server.socket.hasPeerReadAll())
    // Who has read everything may go.
    client = nil
    #expect(try server.socket.hasPeerReadAll())
    (server, client) = try pair()
    #expect(try server.socket.send(bytes.span.bytes) == 4096)
    client = nil
    #expect(throws: Errno(ECONNRESET)) { try server.socket.hasPeerReadAll() }
  }
}

/// One side of a connection.
private final class Connected {
  let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// Nil if nobody listens, or the queue is full.
  init?(_ path: String) {
    guard let socket = try? FileDescriptor(connectingTo: path) else { return nil }
    self.socket = socket
  }
}
