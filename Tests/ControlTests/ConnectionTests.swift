import CLinux
import Linux
import Testing

@testable import Control

@Suite struct ConnectionTests {
  /// A connection and its client's end.
  private struct Pair: ~Copyable {
    let connection: Connection
    let client: FileDescriptor

    init() throws {
      var ends: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
      client = FileDescriptor(owning: ends[1])
      connection = Connection(
        1, FileDescriptor(owning: ends[0]), Peer(process: 1, user: 1), isAllowed: true, at: 0)
    }
  }

  @Test func `a client that has sent nothing yet stays connected`() throws {
    let pair = try Pair()
    let connection = pair.connection
    #expect(connection.read() && !connection.hasEnded)
    let byte: [UInt8] = [1]
    #expect(send(pair.client.number, byte, 1, 0) == 1)
    #expect(connection.read() && !connection.incoming.hasMessage && !connection.hasEnded)
  }

  @Test func `a client that sends more than is taken at once has not left`() throws {
    let pair = try Pair()
    let connection = pair.connection
    let bytes = [UInt8](repeating: 1, count: 64 << 10)
    for _ in 0..<4096 where connection.incoming.room > 0 {
      _ = send(pair.client.number, bytes, bytes.count, 0)
      #expect(connection.read())
    }
    #expect(connection.incoming.room == 0)
    #expect(connection.read() && !connection.hasEnded)
  }

  @Test func `a signature that could not be sent does not count as read, however late it is`()
    throws
  {
    let pair = try Pair()
    let connection = pair.connection
    shutdown(pair.client.number, Int32(SHUT_RDWR))
    connection.queue(SignatureReply([], signature: [[1, 2, 3]]), awaiting: "a", at: 0)
    #expect(!connection.flush(at: 1))
    #expect(connection.drainRead(at: .max).isEmpty)
  }

  @Test func `a client may send 16 messages a second without being busy`() throws {
    let connection = try Pair().connection
    for _ in 1...16 { connection.countMessage(at: 0) }
    #expect(!connection.isBusy(at: 0))
    connection.countMessage(at: 0)
    #expect(connection.isBusy(at: 0) && !connection.isBusy(at: 1_000_000_000))
  }

  @Test func `what the kernel takes at first does not show that the client reads`() throws {
    let pair = try Pair()
    let connection = pair.connection
    // More than a socket holds.
    let isQueued = connection.queue([UInt8](repeating: 1, count: 4 << 20), at: 0)
    #expect(isQueued && connection.flush(at: 1))
    #expect(!connection.isFlushed && !connection.output.isBeingRead)
    #expect(connection.output.progress == 1)
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(pair.client.number, &bytes, bytes.count, 0)
    #expect(count > 0 && connection.flush(at: 2, isRead: true))
    #expect(connection.output.isBeingRead)
  }
}
