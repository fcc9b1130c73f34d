import CLinux
import JSON
import Linux
import Testing

@testable import Control

/// A control server with a real socket, a pad that a test plays, and programs, all on one thread: after
/// `settle()` nobody has anything left to do.
final class FakePad {
  let path: String
  let server: ControlServer
  private(set) var requests: [ControlRequest] = []
  private(set) var log: [String] = []
  var now: Int64 = 0
  let folder: String

  /// `users` are those who may do anything; empty: everybody.
  ///
  /// - Parameters:
  ///   - names: Those of such users who do not exist yet.
  ///   - mode: The socket's.
  ///   - clock: What measures a turn.
  init(
    users: [UInt32] = [], names: [String] = [], mode: UInt32 = 0o600,
    clock: @escaping () -> Int64 = { 0 },
    draw: @escaping (SavedSignature, SignatureFormat) -> [UInt8]? = SavedSignature.drawn
  ) throws {
    var template = Array("/tmp/paraph-control-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    try #require(made)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/socket"
    let lines = Lines()
    server = try ControlServer(
      SocketListener(path: path, mode: mode), users: users, names: names, info: .test,
      allowsStrokes: true, draw: draw, log: { lines.all.append($0) }, clock: clock)
    self.lines = lines
  }

  deinit {
    unlink(path)
    rmdir(folder)
  }

  final class Lines { var all: [String] = [] }
  let lines: Lines

  /// Serves until nothing waits; returns what was asked of the pad.
  @discardableResult
  func settle() throws -> [ControlRequest] {
    var asked: [ControlRequest] = []
    var poll = Poll()
    poll.add(server.number)
    while try poll.wait(milliseconds: 0) { asked += server.turn(at: now) }
    requests += asked
    return asked
  }

  /// Lets `seconds` go by; returns what was asked of the pad.
  @discardableResult
  func wait(seconds: Double) throws -> [ControlRequest] {
    let end = now + Int64(seconds * 1_000_000_000)
    var asked: [ControlRequest] = []
    while let deadline = server.deadline, deadline <= end {
      now = max(now, deadline)
      asked += server.time(now)
      asked += try settle()
    }
    now = end
    return asked
  }

  func tell(_ event: ControlEvent) throws {
    requests += server.event(event, at: now)
    try settle()
  }

  func program() throws -> Program { Program(try FileDescriptor(connectingTo: path)) }
}

/// A program that uses the socket.
final class Program {
  let socket: FileDescriptor
  private var bytes: [UInt8] = []
  /// How many of the bytes contain no end of a message.
  private var searched = 0

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// False if the server does not take it now, or has gone.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool { (try? socket.send(bytes.span.bytes)) == bytes.count }

  /// How many bytes the server's side takes now.
  func sendSome(_ bytes: [UInt8]) -> Int { (try? socket.send(bytes.span.bytes)) ?? bytes.count }

  /// One read(2) of what waits.
  func readOnce() -> Int {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var span = chunk.mutableSpan
    var raw = span.mutableBytes
    guard let count = try? socket.read(into: &raw) else { return 0 }
    bytes += chunk[..<count]
    return count
  }

  /// The next reply, which the pad may have to send in pieces.
  func read(from pad: FakePad) throws -> ReceivedReply {
    var replies: [ReceivedReply] = []
    while replies.isEmpty {
      let isOpen = !isClosed
      replies = try self.replies()
      try #require(isOpen || !replies.isEmpty)
      try pad.settle()
    }
    return replies[0]
  }

  func call(_ method: String, _ parameters: String = "{}", more: Bool = false) {
    send(ControlTests.call("org.paraph.Pad." + method, parameters, more: more) + [0])
  }

  private func read() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var open = true
    while true {
      var span = chunk.mutableSpan
      var raw = span.mutableBytes
      guard let count = try? socket.read(into: &raw) else { return open }
      if count == 0 { open = false; return false }
      bytes += chunk[..<count]
    }
  }

  /// Whether the server has closed the connection.
  var isClosed: Bool { !read() }

  /// The same, and what has come stays unread.
  var isGone: Bool {
    var poll = Poll()
    poll.add(socket.number)
    _ = try? poll.wait(milliseconds: 0)
    return poll.isGone(0)
  }

  /// All replies that have come.
  func replies() throws -> [ReceivedReply] {
    _ = read()
    var replies: [ReceivedReply] = []
    while let end = bytes[searched...].firstIndex(of: 0) {
      replies.append(try ReceivedReply(Array(bytes[...end])))
      bytes.removeFirst(end + 1)
      searched = 0
    }
    searched = bytes.count
    return replies
  }
}
