import CLinux
import JSON
import Linux
import SyntheticHand
import Testing

@testable import Control

@Suite struct ControlServerTests {
  @Test func `a program asks, the pad answers, the program is told`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Sign", #"{"reference":"4711"}"#, more: true)
    let asked = try pad.settle()
    guard case .sign(let request) = asked.first else {
      Issue.record("\(asked)")
      return
    }
    #expect(request.reference == "4711")
    try pad.tell(.state(.invited, request: request.number, limit: nil))
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
    // The kernel keeps no more than some 80 answers for somebody who does not read.
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
    #expect(try pad.settle() == [.sign(SignRequest(number: 1))])
    try pad.tell(.timedOut(1))
    #expect(try program.replies().map(\.state) == ["timed_out"])
    #expect(program.isClosed)
  }

  @Test func `a last call of a program that does not wait for its answer is heard`() throws {
    let pad = try FakePad()
    let first = try pad.program()
    first.call("Sign")
    try pad.settle()
    try pad.program().call("Cancel")
    #expect(try pad.settle() == [.cancel(1)])
  }

  @Test func `garbage closes its connection, with a line that names the process`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.send(Array("GET / HTTP/1.1\r\n\r\n".utf8) + [0])
    try pad.settle()
    #expect(program.isClosed)
    #expect(pad.lines.all.count == 1)
    #expect(pad.lines.all.first?.contains("process \(getpid())") == true)
  }

  @Test func `a message without an end closes its connection before it costs much`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    let letters = [UInt8](repeating: 0x61, count: 4096)
    var sent = 0
    while sent < 10 << 20, !program.isClosed {
      if program.send(letters) { sent += letters.count }
      try pad.settle()
    }
    // What is in the kernel's buffers was never read.
    #expect(program.isClosed && sent < 2 * MessageBuffer.limit)
  }

  @Test func `a thousand connections leave no more open than the limit, and a new one is served`()
    throws
  {
    let pad = try FakePad()
    var programs: [Program] = []
    for _ in 0..<1000 {
      programs.append(try pad.program())
      programs.last?.send(Array("{".utf8))
      pad.now += 1
      try pad.settle()
    }
    #expect(programs.filter { !$0.isClosed }.count == ControlServer.connectionLimit)
    let last = try pad.program()
    last.call("Watch")
    try pad.settle()
    #expect(try last.replies().map(\.state) == ["idle"])
  }

  @Test func `a request is not pushed out by connections that wait for nothing`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Sign")
    try pad.settle()
    var others: [Program] = []
    for _ in 0..<300 {
      pad.now += 1
      others.append(try pad.program())
      #expect(try pad.settle().isEmpty)
    }
    try pad.tell(.timedOut(1))
    #expect(try program.replies().map(\.state) == ["timed_out"])
  }

  @Test func `who does not read is let go, and costs no more than the limit`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Watch", more: true)
    try pad.settle()
    var told = 0
    while told < 1_000_000, pad.lines.all.isEmpty {
      try pad.tell(.state(.signing, request: nil, limit: nil))
      told += 1
    }
    #expect(pad.lines.all.first?.contains("does not read") == true)
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

  @Test(arguments: 1...5) func `random bytes cost nothing but their connection`(_ seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let pad = try FakePad()
    let good = try pad.program()
    for _ in 0..<300 {
      let program = try pad.program()
      let count = Int.random(in: 0...300, using: &random)
      program.send(
        (0..<count).map { _ in
          Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 0
        })
      try pad.settle()
    }
    good.call("Watch")
    try pad.settle()
    #expect(try good.replies().map(\.state) == ["idle"], "seed \(seed)")
    // The log has its limit, too.
    #expect(pad.lines.all.count <= 6, "seed \(seed)")
  }
}
