import CLinux
import Linux
import Testing

@testable import Control

@Suite struct ConnectionTests {
  @Test func `what the kernel takes at first does not show that the client reads`() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let client = FileDescriptor(owning: ends[1])
    let connection = Connection(
      1, FileDescriptor(owning: ends[0]), Peer(process: 1, user: 1), isAllowed: true, at: 0)
    // More than a socket holds.
    let isQueued = connection.queue([UInt8](repeating: 1, count: 4 << 20), at: 0)
    #expect(isQueued && connection.flush(at: 1))
    #expect(!connection.isFlushed && !connection.output.isBeingRead)
    #expect(connection.output.progress == 1)
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(client.number, &bytes, bytes.count, 0)
    #expect(count > 0 && connection.flush(at: 2, isRead: true))
    #expect(connection.output.isBeingRead)
  }
}
