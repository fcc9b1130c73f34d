import CLinux
import Linux
import Seal
import SpoolFixtures
import Testing

/// paraph-seal on a connection.
@Suite struct SealServiceTests {
  private let folder = TemporaryFolder()

  /// A process that waits for requests.
  private struct Service: ~Copyable {
    var child: ChildProcess
    let socket: FileDescriptor

    init() throws {
      let pair = try SocketPair()
      child = try ChildProcess(
        Programs.path("paraph-seal"), [], input: pair.other.number, output: pair.other.number)
      socket = pair.closingOther()
    }

    func send(_ bytes: some Sequence<UInt8>) throws { try socket.writeAll(Array(bytes)) }
  }

  @Test func `a process that is not asked ends when the connection is closed`() throws {
    var service = try Service()
    let certificate = try Fixtures.read(SealKeys(.ellipticCurve, "notary", in: folder).certificate)
    try service.send(try #require(SealRequest.prepare([certificate], by: nil).bytes))
    service.socket.endSending()
    #expect(try service.child.wait(milliseconds: 60_000) == .exit(0))
  }

  @Test func `a request that is not complete after 30 s ends the process`() throws {
    var service = try Service()
    try service.send(try #require(SealRequest.query([1, 2, 3]).bytes).dropLast())
    #expect(try service.child.wait(milliseconds: 120_000) == .signal(SIGALRM))
  }
}
