import CLinux
import JSON
import Linux
import Spool
import SyntheticHand
import Testing

@testable import Control

@Suite struct ControlServerTests {
  @Test func `a client's request reaches the pad, and the pad's answer the client`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Sign", #"{"reference":"4711"}"#, more: true)
    let asked = try pad.settle()
    guard case .open(let request) = asked.first else {
      Issue.record("\(asked)")
      return
    }
    #expect(request.reference == "4711")
    try pad.tell(.state(.invited, request: request.number, deadline: nil))
    try pad.tell(.signed(request.number, .test()))
    #expect(try program.replies().map(\.state) == ["invited", "saved"])
  }

  @Test func `calls that come at once are answered in their order, one after the other`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Sign")
    for id in 0..<100 { program.call("GetSignature", #"{"id":"\#(id)"}"#) }
    try pad.settle()
    #expect(try program.replies().isEmpty)
    try pad.tell(.timedOut(1))
    // The kernel buffers about 80 replies for a client that does not read.
    var replies: [ReceivedReply] = []
    while replies.count < 101, !program.isClosed {
      replies += try program.replies()
      try pad.settle()
    }
    #expect(replies.first?.state == "timed_out")
    #expect(replies.dropFirst().map { $0["id"]?.text } == (0..<100).map { "\($0)" })
  }

  @Test func `a call that comes byte by byte is one call`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    for byte in call("org.paraph.Pad.Watch") + [0] {
      program.send([byte])
      try pad.settle()
    }
    #expect(try program.replies().map(\.state) == ["idle"])
  }

  @Test func `a program that goes away cancels its request`() throws {
    let pad = try FakePad()
    var program: Program? = try pad.program()
    program?.call("Sign")
    try pad.settle()
    program = nil
    #expect(try pad.settle() == [.cancel(1)])
  }

  @Test func `a program that only stops sending still gets its answer`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Sign")
    shutdown(program.socket.number, Int32(SHUT_WR))
    var request = PadRequest(.signature, number: 1)
    // What the kernel calls this process.
    let name = try #require(Folder.line(of: "/proc/self/comm"))
    request.requester = Requester(uid: geteuid(), program: name)
    #expect(try pad.settle() == [.open(request)])
    try pad.tell(.timedOut(1))
    #expect(try program.replies().map(\.state) == ["timed_out"])
    #expect(program.isClosed)
  }

  @Test func `the last call of a client that does not wait for the answer is served`() throws {
    let pad = try FakePad()
    let first = try pad.program()
    first.call("Sign")
    try pad.settle()
    try pad.program().call("Cancel")
    #expect(try pad.settle() == [.cancel(1)])
  }

  @Test func `garbage closes its connection, and the log names the process`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.send(Array("GET / HTTP/1.1\r\n\r\n".utf8) + [0])
    try pad.settle()
    #expect(program.isClosed)
    #expect(try program.replies().map(\.error) == ["org.paraph.Pad.InvalidMessage"])
    #expect(pad.lines.all.count == 1)
    #expect(pad.lines.all.first?.contains("process \(getpid())") == true)
  }

  @Test
  func `a message that is too long is answered, however much its client sends before it reads`()
    throws
  {
    let pad = try FakePad()
    let program = try pad.program()
    var message = [UInt8](repeating: 0x61, count: 20 * ControlLimits.message) + [0]
    while !message.isEmpty {
      message.removeFirst(program.sendSome(message))
      try pad.settle()
    }
    let reply = try program.replies()
    #expect(reply.map(\.error) == ["org.paraph.Pad.InvalidMessage"])
    #expect(reply.first?["reason"]?.text == "message exceeds 32768 bytes")
    #expect(program.isClosed)
  }

  @Test func `a message without an end closes its connection at the limit`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    let letters = [UInt8](repeating: 0x61, count: 4096)
    var sent = 0
    while sent < 10 << 20, !program.isClosed {
      if program.send(letters) { sent += letters.count }
      try pad.settle()
    }
    // What is in the kernel's buffers was never read.
    #expect(program.isClosed && sent < 2 * Connection.discardLimit)
    #expect(try program.replies().map(\.error) == ["org.paraph.Pad.InvalidMessage"])
  }

  @Test func `a signature counts as delivered when its client has read all of it, and not before`()
    throws
  {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Sign", #"{"reference":"4711"}"#)
    try pad.settle()
    try pad.tell(.signed(1, .large("a")))
    // Whether it was read is looked at again later, not at once.
    #expect(try #require(pad.server.deadline) > pad.now)
    #expect(try pad.wait(seconds: 5).isEmpty)
    var replies: [ReceivedReply] = []
    while replies.isEmpty {
      #expect(!pad.requests.contains(.forget("a")))
      replies = try program.replies()
      try pad.settle()
    }
    #expect(replies.first?["signature"]?["id"]?.text == "a")
    #expect(try pad.wait(seconds: 1) == [.forget("a")])
    #expect(pad.server.deadline == 60_000_000_000)
  }

  @Test func `a client that dies with its reply unread asks again, and gets the same signature`()
    throws
  {
    for signature in [SavedSignature.test("a"), .large("a")] {
      let pad = try FakePad()
      var program: Program? = try pad.program()
      program?.call("Sign", #"{"reference":"4711"}"#)
      try pad.settle()
      try pad.tell(.signed(1, signature))
      program = nil
      #expect(try pad.settle().isEmpty)
      #expect(try pad.wait(seconds: 30).isEmpty)
      let again = try pad.program()
      again.call("Sign", #"{"reference":"4711"}"#)
      #expect(try pad.settle().isEmpty)
      #expect(try again.read(from: pad)["signature"]?["id"]?.text == "a")
      // Now it has it: the next one is asked for anew.
      again.call("Sign", #"{"reference":"4711"}"#)
      let asked = try pad.settle()
      guard case .open = asked.last, asked.first == .forget("a") else {
        Issue.record("\(asked)")
        return
      }
    }
  }

  @Test func `a client that stops sending keeps its connection until it has read its signature`()
    throws
  {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Sign", #"{"reference":"4711"}"#)
    shutdown(program.socket.number, Int32(SHUT_WR))
    try pad.settle()
    try pad.tell(.signed(1, .test("a")))
    #expect(try pad.wait(seconds: 5).isEmpty)
    #expect(try program.replies().map(\.state) == ["saved"])
    #expect(!program.isClosed)
    #expect(try pad.wait(seconds: 1) == [.forget("a")])
    #expect(program.isClosed)
  }

  @Test func `at its end, the pad waits for clients that read, and for others only for a while`()
    throws
  {
    var time: Int64 = 0
    let pad = try FakePad(clock: {
      time += 1_000_000
      return time
    })
    let program = try pad.program()
    program.call("Sign", #"{"reference":"4711"}"#)
    try pad.settle()
    try pad.tell(.signed(1, .large("a")))
    #expect(pad.server.drain(for: 20_000_000).isEmpty)
    var replies: [ReceivedReply] = []
    var asked: [ControlRequest] = []
    while replies.isEmpty {
      replies = try program.replies()
      asked += pad.server.drain(for: 2_000_000)
    }
    #expect(asked + pad.server.drain(for: 2_000_000) == [.forget("a")])
  }

  @Test func `at its end, the pad does not wait for clients that do not read a screenshot`() throws
  {
    var time: Int64 = 0
    let pad = try FakePad(clock: {
      time += 1_000_000
      return time
    })
    let program = try pad.program()
    program.call("Screenshot")
    try pad.settle()
    try pad.tell(.screenshot(.png([UInt8](repeating: 7, count: 1 << 20))))
    let begun = time
    #expect(pad.server.drain(for: 1_000_000_000).isEmpty)
    #expect(time - begun < 1_000_000_000)
    _ = consume program
  }

  @Test func `a large signature goes out in pieces to a program that reads slowly`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Sign")
    try pad.settle()
    var signature = SavedSignature.test()
    signature.png = [UInt8](repeating: 7, count: 3 << 20)
    try pad.tell(.signed(1, signature))
    var replies: [ReceivedReply] = []
    while replies.isEmpty && !program.isClosed {
      replies = try program.replies()
      try pad.settle()
    }
    #expect(replies.first?["signature"]?["png"]?.text?.utf8.count == 4 << 20)
  }

}
