import CLinux
import Configuration
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

@Suite struct CommandSinkTests {
  let folder = TemporaryFolder()

  func script(_ lines: String) throws -> String {
    let path = folder.path + "/script"
    try Fixtures.write(path, Array("#!/bin/sh\n\(lines)\n".utf8))
    chmod(path, 0o755)
    return path
  }

  func item() throws -> Item {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    return try Item(id, in: Spool(at: publisher.path).new)
  }

  func outcome(
    _ command: String, limit: String = "30s", item: Item? = nil,
    cancellation: Cancellation? = nil, log: @escaping (String) -> Void = { _ in }
  ) throws -> Outcome {
    let configuration = try HandoffConfiguration(
      "[sink a]\ntype = command\ncommand = \(command)\ntime-limit = \(limit)", file: "test")
    guard case .command(let command) = configuration.sinks[0].kind else {
      return .permanentFailure("none")
    }
    let sink = CommandSink(
      configuration: command, folder: folder.path + "/spool/new",
      cancellation: try cancellation ?? Cancellation(), log: log)
    return sink.deliver(try item ?? self.item())
  }

  @Test func `the command gets the folder, its own arguments and the item's id and number`() throws
  {
    let item = try item()
    let id = item.manifest.id.text
    let script = try script("echo $# $1 $2 $PARAPH_ID $PARAPH_SEQUENCE > \(folder.path)/seen")
    #expect(try outcome(script + " -a", item: item) == .delivered)
    #expect(
      String(decoding: try Fixtures.read(folder.path + "/seen"), as: UTF8.self)
        == "2 -a \(folder.path)/spool/new/\(id) \(id) 1\n")
  }

  @Test(arguments: [
    ("exit 0", Outcome.delivered), ("exit 75", .temporaryFailure("exit status 75")),
    ("exit 1", .temporaryFailure("exit status 1")),
    ("exit 127", .temporaryFailure("exit status 127")),
    ("exit 65", .permanentFailure("exit status 65")),
    ("kill -9 $$", .temporaryFailure("ended by signal 9")),
    ("kill -15 $$", .temporaryFailure("ended by signal 15")),
    ("echo one; echo two >&2; exit 1", .temporaryFailure("exit status 1: two")),
    ("echo no such customer; echo; exit 65", .permanentFailure("exit status 65: no such customer")),
    ("printf 'a\\033[2Jb'; exit 3", .temporaryFailure("exit status 3: a?[2Jb")),
  ])
  func `the exit code is the answer`(lines: String, expected: Outcome) throws {
    #expect(try outcome(script(lines)) == expected)
  }

  @Test func `the output is logged, and its last line is the reason`() throws {
    var written = ""
    #expect(
      try outcome(script("seq 100000; exit 3")) { written += $0 }
        == .temporaryFailure("exit status 3: 100000"))
    #expect(written == (1...100_000).map { "\($0)\n" }.joined())
  }

  @Test func `a missing program is retried later`() throws {
    #expect(
      try outcome("/nowhere/deliver")
        == .temporaryFailure("/nowhere/deliver: No such file or directory"))
  }

  @Test func `at its time limit, the command is killed with its children`() throws {
    let script = try script("sleep 1000 & echo $! > \(folder.path)/child; wait")
    #expect(
      try outcome(script, limit: "3s")
        == .temporaryFailure("killed at its time limit"))
    let text = String(decoding: try Fixtures.read(folder.path + "/child").dropLast(), as: UTF8.self)
    let child = try #require(Int32(text))
    #expect(eventually { kill(child, 0) == -1 })
  }

  /// Of their own session, and adopted: neither its group nor its children name them.
  @Test(arguments: [("exit 0", "30s"), ("sleep 1000", "3s")])
  func `children that leave the session are killed too`(end: String, limit: String) throws {
    let script = try script(
      "(setsid sh -c 'sleep 1000 & echo $! > \(folder.path)/new; "
        + "mv \(folder.path)/new \(folder.path)/child; wait' &)\n"
        + "while [ ! -e \(folder.path)/child ]; do sleep 0.01; done; \(end)")
    let outcome = try outcome(script, limit: limit)
    #expect(
      outcome == (end == "exit 0" ? .delivered : .temporaryFailure("killed at its time limit")))
    let text = String(decoding: try Fixtures.read(folder.path + "/child").dropLast(), as: UTF8.self)
    let child = try #require(Int32(text))
    // At once: its end is waited for.
    #expect(kill(child, 0) == -1)
  }

  @Test func `the parent process keeps no descriptor of this program open`() throws {
    let script = try script(
      "until [ -z \"$(ls /proc/$PPID/fd)\" ]; do sleep 0.01; done; cat /proc/$PPID/comm")
    #expect(try outcome(script) == .delivered)
  }

  @Test func `children that outlive the command are killed too`() throws {
    let script = try script("sleep 1000 & echo $! > \(folder.path)/child; exit 0")
    #expect(try outcome(script) == .delivered)
    let text = String(decoding: try Fixtures.read(folder.path + "/child").dropLast(), as: UTF8.self)
    let child = try #require(Int32(text))
    #expect(eventually { kill(child, 0) == -1 })
  }

  @Test func `the command has no input, default signal actions and no blocked signals`() throws {
    let script = try script(
      "cat > \(folder.path)/input; grep -E '^Sig(Blk|Ign)' /proc/self/status > \(folder.path)/signals"
    )
    #expect(try outcome(script) == .delivered)
    #expect(try Fixtures.read(folder.path + "/input").isEmpty)
    let signals = String(decoding: try Fixtures.read(folder.path + "/signals"), as: UTF8.self)
    for line in signals.split(separator: "\n") {
      let mask = try #require(UInt64(line.suffix(16), radix: 16))
      // glibc ignores its own 32 and 33 in what it spawns.
      #expect(mask & ~(0b11 << 31) == 0, "\(signals)")
    }
  }

  @Test func `the end of the program ends the command`() throws {
    let cancellation = try Cancellation()
    let script = try script("touch \(folder.path)/started; sleep 1000")
    let path = folder.path
    let thread = try Thread(name: "canceller") {
      _ = eventually { Fixtures.exists(path + "/started") }
      cancellation.cancel()
    }
    #expect(
      try outcome(script, limit: "1h", cancellation: cancellation)
        == .temporaryFailure("killed at shutdown"))
    thread.join()
  }
}
