import CLinux
import Ink
import JSON
import Linux
import SyntheticHand
import Testing

@testable import Control

/// Clients that read nothing, call without end, or take all connections.
///
/// One test at a time: each has hundreds of descriptors.
@Suite(.serialized) struct ControlServerLoadTests {
  /// 128 clients that never read and 64 that call without end, all of which come again when they are closed.
  private final class Attack {
    private let pad: FakePad
    private var silent: [Program] = []
    private var greedy: [Program] = []
    private let call =
      ControlTests.call(
        "org.paraph.Pad.GetSignature", #"{"id":"a","formats":["svg"]}"#) + [0]
    private(set) var comings = 0

    init(on pad: FakePad) { self.pad = pad }

    /// Those who are closed come again, as many as the queue of the socket takes at a time.
    func goOn() throws {
      silent.removeAll { $0.isGone }
      greedy.removeAll { $0.isGone }
      for place in 0..<4 {
        let isSilent = place % 2 == 0 ? silent.count < 128 : greedy.count >= 64
        guard silent.count + greedy.count < 192 else { break }
        let program = try pad.program()
        program.call("GetSignature", #"{"id":"a"}"#)
        if isSilent { silent.append(program) } else { greedy.append(program) }
        comings += 1
      }
      for program in greedy {
        _ = program.readOnce()
        for _ in 0..<5 { program.send(call) }
      }
    }
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
      // By default, a process may have 1024 descriptors.
      if programs.count > ConnectionTable.limit + 50 {
        let oldest = programs.removeFirst()
        #expect(oldest.isClosed)
      }
    }
    #expect(programs.filter { !$0.isClosed }.count == ConnectionTable.limit)
    let last = try pad.program()
    last.call("Watch")
    try pad.settle()
    #expect(try last.replies().map(\.state) == ["idle"])
  }

  @Test func `idle connections do not displace a request`() throws {
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

  @Test func `clients that leave a reply unread are closed after ten seconds`() throws {
    let pad = try FakePad()
    try pad.tell(.signed(nil, .large("a")))
    let stalled = try pad.program()
    stalled.call("GetSignature", #"{"id":"a"}"#)
    let slow = try pad.program()
    slow.call("GetSignature", #"{"id":"a"}"#)
    try pad.settle()
    try pad.wait(seconds: 9)
    // The kernel counts a reader when most of what it keeps is read.
    for _ in 0..<4 { _ = slow.readOnce() }
    try pad.settle()
    try pad.wait(seconds: 2)
    #expect(pad.lines.all.count == 1 && pad.lines.all[0].contains("does not read"))
    #expect(stalled.isGone)
    #expect(try slow.read(from: pad)["signature"]?["id"]?.text == "a")
  }

  @Test func `clients that read nothing make room for others, the longest first`() throws {
    let pad = try FakePad()
    try pad.tell(.signed(nil, .large("a")))
    var stalled: [Program] = []
    for _ in 0..<ConnectionTable.limit {
      stalled.append(try pad.program())
      stalled.last?.call("GetSignature", #"{"id":"a"}"#)
      pad.now += 1
      try pad.settle()
    }
    pad.now += 1_000_000_000
    for number in 1...3 {
      let program = try pad.program()
      program.call("Watch", more: true)
      try pad.settle()
      #expect(try program.replies().map(\.state) == ["saved"])
      stalled.append(program)
      #expect(stalled.prefix(4).map { $0.isGone } == (0..<4).map { $0 < number })
    }
  }

  @Test func `clients that read nothing do not displace idle ones`() throws {
    let pad = try FakePad()
    try pad.tell(.signed(nil, .large("a")))
    let idle = try pad.program()
    idle.call("Watch")
    try pad.settle()
    #expect(try idle.replies().count == 1)
    var others: [Program] = []
    for _ in 0..<(2 * ConnectionTable.limit) {
      pad.now += 2_000_000
      others.append(try pad.program())
      others.last?.call("GetSignature", #"{"id":"a"}"#)
      try pad.settle()
    }
    #expect(!idle.isGone && others[0].isGone)
  }

  @Test func `clients that read nothing do not displace a request`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Sign", more: true)
    try pad.settle()
    // So much that it is not all in the kernel's buffers.
    for _ in 0..<2000 { try pad.tell(.state(.signing, request: 1, deadline: nil)) }
    try pad.tell(.signed(nil, .large("a")))
    var others: [Program] = []
    for _ in 0..<(2 * ConnectionTable.limit) {
      pad.now += 1
      others.append(try pad.program())
      others.last?.call("GetSignature", #"{"id":"a"}"#)
      #expect(try pad.settle().isEmpty)
    }
    #expect(!program.isGone)
  }

  @Test func `all clients together keep no more of the pad's memory than the limit`() throws {
    let pad = try FakePad()
    var watchers: [Program] = []
    for _ in 0..<16 {
      watchers.append(try pad.program())
      watchers.last?.call("Watch", more: true)
    }
    try pad.settle()
    var most = 0
    while pad.lines.all.isEmpty {
      try pad.tell(.state(.signing, request: nil, deadline: nil))
      most = max(most, pad.server.queuedBytes)
    }
    #expect(most > 1 << 20 && most <= ConnectionTable.outputLimit + 100)
    #expect(watchers.filter { $0.isGone }.count == 1)
  }

  /// A stroke of samples.
  private func stroke(_ count: Int) -> [ControlEvent.InkStep] {
    let samples = (0..<count).map {
      Sample(time: Int64($0), position: Point(0.123_456_7, 7.654_321))
    }
    return [.begins(samples[0])] + samples.dropFirst().map { .goesOn($0) } + [.ends]
  }

  /// The number of steps of ink that a client has received since the last call.
  private func steps(_ program: Program) throws -> Int {
    try program.replies().reduce(0) { $0 + ($1["ink"]?.elements?.count ?? 0) }
  }

  @Test func `a client receives more ink at once than all clients may have unsent`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Watch", #"{"strokes":true}"#, more: true)
    #expect(try pad.settle() == [.watchInk(true)])
    let count = 40_000
    try pad.tell(.ink([.wiped] + stroke(count)))
    // New ink meanwhile does not close the connection.
    try pad.tell(.ink(stroke(1)))
    var (received, most) = (0, 0)
    while received < 1 + (count + 1) + 2 {
      most = max(most, pad.server.queuedBytes)
      let more = try steps(program)
      try #require(more > 0)
      received += more
      try pad.settle()
    }
    #expect(most < 64 << 10)
    #expect(pad.lines.all.isEmpty && !program.isGone)
  }

  @Test func `clients that begin to watch ink cost the others nothing, and nobody is closed`()
    throws
  {
    let pad = try FakePad()
    let programs = try (0..<ControlService.watcherLimit).map { _ in try pad.program() }
    programs[0].call("Watch", #"{"strokes":true}"#, more: true)
    try pad.settle()
    // 600 kB
    try pad.tell(.ink([.wiped] + stroke(8000)))
    var received = 0
    while received < 8002 {
      received += try steps(programs[0])
      try pad.settle()
    }
    for program in programs.dropFirst() {
      program.call("Watch", #"{"strokes":true}"#, more: true)
      #expect(try pad.settle().isEmpty)
    }
    #expect(try steps(programs[0]) == 0)
    #expect(pad.server.queuedBytes < 16 * 64 << 10)
    try pad.tell(.ink(stroke(1)))
    #expect(try steps(programs[0]) == 2)
    #expect(pad.lines.all.isEmpty && programs.allSatisfy { !$0.isGone })
  }

  @Test func `clients that pipeline drawings delay no other client`() throws {
    // Each look at the clock finds that 3 ms have gone by: a turn has time for two messages.
    var time: Int64 = 0
    let pad = try FakePad(clock: {
      time += 3_000_000
      return time
    })
    try pad.tell(.signed(nil, .test("a")))
    let call = call("org.paraph.Pad.GetSignature", #"{"id":"a","formats":["svg"]}"#) + [0]
    var greedy: [Program] = []
    for _ in 0..<64 {
      greedy.append(try pad.program())
      try pad.settle()
      for _ in 0..<200 { greedy.last?.send(call) }
    }
    let program = try pad.program()
    program.call("Watch")
    var turns = 0
    while try program.replies().isEmpty {
      _ = pad.server.turn(at: pad.now)
      turns += 1
      try #require(turns < 200)
    }
    // At most one message of each of the others came before, two in a turn; and it had to be accepted.
    #expect(turns <= 2 * (64 / 2 + 2))
  }

  @Test func `a new client is answered soon while hostile ones take all places again and again`()
    throws
  {
    // Each look at the clock finds that 1 ms has gone by: a turn has time for five messages.
    var time: Int64 = 0
    let pad = try FakePad(clock: {
      time += 1_000_000
      return time
    })
    try pad.tell(.signed(nil, .large("a")))
    let patient = try pad.program()
    patient.call("Sign", #"{"reference":"4711"}"#)
    try pad.settle()
    let attack = Attack(on: pad)
    for _ in 0..<60 {
      try attack.goOn()
      pad.now += 1_000_000
      _ = pad.server.turn(at: pad.now)
    }
    var most = 0
    for _ in 0..<6 {
      let program = try pad.program()
      program.call("Watch")
      var turns = 0
      while try program.replies().isEmpty {
        try #require(!program.isGone)
        try attack.goOn()
        pad.now += 5_000_000
        _ = pad.server.turn(at: pad.now)
        turns += 1
        try #require(turns < 50)
      }
      most = max(most, turns)
    }
    #expect(attack.comings > 2 * ConnectionTable.limit)
    // At most one message of each of the others came before, five in a turn; and it had to be accepted.
    #expect(most <= 192 / 5 + 2)
    // The client that asked for a signature still receives it.
    try pad.tell(.signed(1, .test("b")))
    #expect(try patient.read(from: pad)["signature"]?["id"]?.text == "b")
  }

  @Test func `a client that does not read is disconnected, and uses no more memory than the limit`()
    throws
  {
    let pad = try FakePad()
    let program = try pad.program()
    program.call("Watch", more: true)
    try pad.settle()
    var told = 0
    while told < 1_000_000, pad.lines.all.isEmpty {
      try pad.tell(.state(.signing, request: nil, deadline: nil))
      told += 1
    }
    #expect(pad.lines.all.first?.contains("does not read") == true)
  }

  @Test(arguments: 1...5) func `random bytes only close their own connection`(_ seed: UInt64)
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
