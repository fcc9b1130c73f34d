import CLinux
import Linux
import Testing

@Suite struct SocketListenerTests {
  let path = "/tmp/paraph-listener-\(getpid())-\(UInt64.random(in: 0 ... .max))"

  @Test func `the socket has the mode that was asked for, and goes with its owner`() throws {
    var status = stat()
    do {
      let listener = try SocketListener(path: path, mode: 0o620)
      #expect(listener.number >= 0)
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o620)
    }
    #expect(stat(path, &status) == -1)
  }

  @Test func `a socket's mode is that of its file, whatever the umask: nobody comes too early`()
    throws
  {
    let socket = FileDescriptor(owning: socket(AF_UNIX, 1, 0))  // SOCK_STREAM
    try socket.setMode(0)
    #expect(CLinux_bindUnix(socket.number, path) == 0)
    defer { unlink(path) }
    var status = stat()
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

  @Test func `who connects is accepted, and known by process and user`() throws {
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

  @Test func `a file that is no socket is left alone`() throws {
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
}
