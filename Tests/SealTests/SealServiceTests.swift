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

    /// `tracer`: a program that runs it, and its arguments.
    init(by tracer: [String] = []) throws {
      let pair = try SocketPair()
      let words = tracer + [Programs.path("paraph-seal")]
      child = try ChildProcess(
        words[0], Array(words.dropFirst()), input: pair.other.number, output: pair.other.number)
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

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `each request must be complete after 30 s, and the person may take longer`() throws {
    let trace = folder.path + "/trace"
    var service = try Service(by: [
      SystemCalls.tracer, "-f", "-qq", "-o", trace, "-e", "trace=?alarm,?setitimer",
    ])
    let request = try #require(SealRequest.query([1, 2, 3]).bytes)
    // The second one is cut.
    try service.send(request + request.dropLast())
    service.socket.endSending()
    #expect(try service.child.wait(milliseconds: 60_000) == .exit(EX_DATAERR))
    // On some machines, alarm(3) is setitimer(2).
    let seconds = try Fixtures.text(trace).split(separator: "\n").compactMap { line -> Int? in
      let parts = line.replacing("it_value={tv_sec=", with: "alarm(").split(separator: "alarm(")
      return parts.count > 1 ? Int(parts[1].prefix { $0.isNumber }) : nil
    }
    // For the first request to come, for each to be complete, and between them.
    #expect(seconds == [30, 30, 0, 30])
  }

  @Test func `a request that is not complete in time ends the process`() throws {
    var service = try Service()
    try service.send(try #require(SealRequest.query([1, 2, 3]).bytes).dropLast())
    let isReading = try eventually { try service.socket.hasPeerReadAll() }
    try #require(isReading)
    // As the kernel tells it.
    service.child.signal(SIGALRM)
    #expect(try service.child.wait(milliseconds: 60_000) == .signal(SIGALRM))
  }
}
