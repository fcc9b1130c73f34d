import CLinux
import Client
import JSON
import Linux
import Testing

/// A service that a test plays.
struct PlayedService: ~Copyable {
  let path: String
  private let listener: SocketListener

  init() throws {
    var pattern = Array("/tmp/paraph-client.XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&pattern)))
    let listener = try SocketListener(path: folder + "/socket", mode: 0o600)
    path = folder + "/socket"
    self.listener = listener
  }

  func accept() throws -> FileDescriptor {
    guard let accepted = try listener.accept() else { throw Errno(EAGAIN) }
    return accepted
  }

  deinit { rmdir(path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }) }
}

@Suite struct VarlinkConnectionTests {
  /// Reads once from a service's side of a connection.
  func text(from socket: borrowing FileDescriptor) throws -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var span = bytes.mutableSpan
    var raw = span.mutableBytes
    let count = try socket.read(into: &raw)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test func `a call is one object with a NUL`() throws {
    let service = try PlayedService()
    var connection = try VarlinkConnection(service.path, replyLimit: 1000)
    try connection.call("a.b.C", [("x", .integer(1))], more: true)
    let peer = try service.accept()
    #expect(
      try text(from: peer) == #"{"method":"a.b.C","parameters":{"x":1},"more":true}"#
        + "\u{0}")
    let hasOutput = connection.hasOutput
    #expect(!hasOutput)
  }

  @Test func `replies are read in any pieces`() throws {
    let service = try PlayedService()
    var connection = try VarlinkConnection(service.path, replyLimit: 1000)
    let peer = try service.accept()
    let replies =
      #"{"parameters":{"n":1},"continues":true}"# + "\u{0}"
      + #"{"error":"a.b.No","parameters":{"why":"x"}}"# + "\u{0}"
    var found: [String] = []
    for byte in replies.utf8 {
      try peer.writeAll([byte])
      let isReceived = try connection.receive()
      #expect(isReceived)
      switch try connection.next() {
      case .result(let value, let continues):
        found.append("\(value["n"]?.integer ?? 0) \(continues)")
      case .error(let name, let details): found.append("\(name) \(details["why"]?.text ?? "")")
      case nil: break
      }
    }
    #expect(found == ["1 true", "a.b.No x"])
    let hasMore = try connection.receive()
    #expect(!hasMore)
  }

  @Test func `a service that closes is reported`() throws {
    let service = try PlayedService()
    var connection = try VarlinkConnection(service.path, replyLimit: 1000)
    _ = try service.accept()
    do throws(VarlinkConnection.Failure) {
      _ = try connection.receive()
      Issue.record("the end was not reported")
    } catch { #expect(error == .disconnected(Errno(ECONNRESET))) }
  }

  @Test func `a reply that is too large or is no JSON is refused`() throws {
    let service = try PlayedService()
    for (sent, reason) in [
      ([UInt8](repeating: 0x20, count: 101), "the reply is too large"),
      (Array("[".utf8) + [0], "the reply is invalid JSON: line 1: ']' expected"),
    ] {
      var connection = try VarlinkConnection(service.path, replyLimit: 100)
      let peer = try service.accept()
      try peer.writeAll(sent)
      _ = try connection.receive()
      do throws(VarlinkConnection.Failure) {
        _ = try connection.next()
        Issue.record("it was accepted")
      } catch { #expect(error.text == reason) }
    }
  }

  @Test func `a missing service is an error of the connection`() {
    do throws(Errno) {
      _ = try VarlinkConnection("/tmp/paraph-client-none", replyLimit: 10)
      Issue.record("connected to nothing")
    } catch { #expect(error.rawValue == ENOENT) }
  }
}
