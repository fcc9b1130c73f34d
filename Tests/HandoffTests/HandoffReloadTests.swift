import CLinux
import Configuration
import Linux
import SpoolFixtures
import Testing

@testable import Handoff
@testable import Spool

/// paraph-handoff while it runs: reloads of its configuration, and flushes.
@Suite struct HandoffReloadTests: HandoffProgram {
  let folder = TemporaryFolder()

  init() throws { try prepare() }

  @Test func `SIGHUP retries what waits`() throws {
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
    let child = try startTooEarly(for: id)
    child.signal(SIGHUP)
    #expect(eventually { Fixtures.exists("\(folder.path)/later/\(id)") })
    #expect(try eventually { try log().contains("(sequence 1, attempt 2, ") })
  }

  @Test func `a flushed sink tries again, and the others keep their pauses`() throws {
    try configure("rescan = 1h\nfirst-pause = 1h\nlongest-pause = 2h", sinks: ["later", "other"])
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
    let child = try start()
    #expect(
      try eventually { try log().split(separator: "\n").count { $0.contains("failed (") } == 2 })
    mkdir(folder.path + "/later", 0o770)
    mkdir(folder.path + "/other", 0o770)
    func flush(_ sink: String) throws -> Programs.Result {
      try Programs.run("paraph", ["spool", "flush", sink, "--spool", spool])
    }
    #expect(try flush("later").end == .exit(EX_OK))
    #expect(eventually { Fixtures.exists("\(folder.path)/later/\(id)") })
    #expect(try log().contains("sink later: 1 signature waits, retried on request"))
    #expect(try flush("nobody").end == .exit(EX_OK))
    #expect(
      try eventually {
        try log().contains("the request to flush nobody was ignored: no such sink")
      })
    #expect(try Folder("\(folder.path)/other").names().isEmpty)
    #expect(try Folder("\(spool)/state/.flush").names().isEmpty)
    #expect(try flush("../x").end == .exit(EX_USAGE))
    _ = consume child
  }

  @Test func `a request to flush waits for the program`() throws {
    try configure("rescan = 1h\nfirst-pause = 1h\nlongest-pause = 2h", sinks: ["later"])
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
    var child = try start()
    #expect(try eventually { try log().contains("delivery of \(id) failed") })
    child.signal(SIGTERM)
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
    mkdir(folder.path + "/later", 0o770)
    #expect(
      try Programs.run("paraph", ["spool", "flush", "later", "--spool", spool]).end == .exit(EX_OK))
    child = try start()
    #expect(eventually { Fixtures.exists("\(folder.path)/later/\(id)") })
    _ = consume child
  }

  @Test func `SIGHUP reads drop-ins, and names the one that is wrong`() throws {
    var publisher = try publisher()
    let first = try Fixtures.publish(&publisher).id.text
    let child = try start()
    #expect(try eventually { try delivered() == [first] })
    mkdir(folder.path + "/copies", 0o770)
    mkdir(configuration + ".d", 0o755)
    let dropIn = configuration + ".d/copies.conf"
    try Fixtures.write(dropIn, Array("[sink copies]\ntype = pigeon\n".utf8))
    child.signal(SIGHUP)
    #expect(try eventually { try log().contains("is invalid; the previous configuration stays") })
    #expect(try log().contains("config: \(dropIn):2: [sink copies] type: "))
    let check = try Programs.run("paraph-handoff", ["-c", configuration, "--check-config"])
    #expect(check.end == .exit(EX_CONFIG) && check.error.contains("\(dropIn):2: "))
    let text = "[sink copies]\ntype = directory\npath = \(folder.path)/copies\n"
    try Fixtures.write(dropIn, Array(text.utf8))
    child.signal(SIGHUP)
    #expect(try eventually { try log().contains("was reloaded") })
    let second = try Fixtures.publish(&publisher).id.text
    #expect(eventually { Fixtures.exists("\(folder.path)/copies/\(second)") })
    _ = consume child
  }

  /// A sink that counts what it gets: each delivery adds a line with the id to the file of the sink's name.
  ///
  /// - Parameter wait: What it does before, in the shell.
  func counter(_ name: String, after wait: String = "sleep 0") throws -> String {
    let script = "\(folder.path)/\(name).sh"
    let path = "\(folder.path)/\(name)"
    let text = "#!/bin/sh\ntouch \(path).begun\n\(wait)\necho $PARAPH_ID >> \(path).got\n"
    try Fixtures.write(script, Array(text.utf8))
    chmod(script, 0o755)
    return "[sink \(name)]\ntype = command\ncommand = \(script)\n"
  }

  func got(_ name: String) throws -> [String] {
    try Fixtures.text("\(folder.path)/\(name).got").split(separator: "\n").map { String($0) }
  }

  func configure(counters: [String]) throws {
    let text = "[spool]\npath = \(spool)\n[handoff]\nrescan = 1h\n" + counters.joined()
    try Fixtures.write(configuration, Array(text.utf8))
  }

  @Test func `SIGHUP takes over sinks that are added, changed and removed, and repeats nothing`()
    throws
  {
    try configure(counters: [
      counter("kept"), counter("removed"), counter("changed", after: "sleep 0.01"),
    ])
    var publisher = try publisher()
    var ids = try (0..<20).map { _ in try Fixtures.publish(&publisher).id.text }
    var child = try start()
    // In the middle of it.
    #expect(try eventually { try got("changed").count >= 3 })
    try configure(counters: [
      counter("kept"), counter("changed", after: "sleep 0.02"), counter("added"),
    ])
    child.signal(SIGHUP)
    #expect(try eventually { try log().contains("was reloaded") })
    ids += try (0..<5).map { _ in try Fixtures.publish(&publisher).id.text }
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    for name in ["kept", "changed"] {
      #expect(try got(name).count == 25, "\(name): something was repeated or lost")
      #expect(try Set(got(name)) == Set(ids))
    }
    #expect(try Set(got("added")).isSuperset(of: ids.suffix(5)))
    #expect(try Set(got("added")).count == got("added").count)
    #expect(try !got("removed").contains { ids.suffix(5).contains($0) })
    child.signal(SIGTERM)
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
  }

  @Test func `SIGHUP finishes running deliveries before it applies the configuration`() throws {
    let absent = "[sink absent]\ntype = directory\npath = \(folder.path)/absent\n"
    let go = folder.path + "/go"
    let slow = try counter("slow", after: "until [ -e \(go) ]; do sleep 0.01; done")
    try configure(counters: [slow, absent])
    let first = try HandoffConfiguration(reading: configuration)
    try configure(counters: [slow, counter("added")])
    let next = try HandoffConfiguration(reading: configuration)
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
    // In this process, whose shutdown waits for nothing.
    let limits = Delivery.Limits(shutdown: 0)
    let event = try EventDescriptor()
    event.signal()
    var calls = 0
    do {
      let delivery = try Delivery(first, limits) { _, _ in }
      let end = try delivery.run(event.number) {
        guard calls > 0 || Fixtures.exists(folder.path + "/slow.begun") else { return nil }
        calls += 1
        // The second call follows the signal at once, and the third comes after a turn that waits
        // for the delivery.
        if calls == 3 { mkdir(go, 0o700) }
        return calls == 1 ? SIGHUP : nil
      } reload: {
        next
      }
      guard case .reload = end else { throw Errno(EINVAL) }
    }
    #expect(try got("slow") == [id])
    let delivery = try Delivery(next, limits) { _, _ in }
    #expect(try delivery.runOnce() == 0)
    #expect(try got("slow") == [id] && got("added") == [id])
    #expect(try Folder(spool + "/new").names().isEmpty)
  }

  @Test func `SIGHUP holds a sink and resumes it`() throws {
    var publisher = try publisher()
    let free = try Fixtures.text(configuration)
    let child = try start()
    let first = try Fixtures.publish(&publisher).id.text
    #expect(try eventually { try delivered() == [first] })
    try Fixtures.write(configuration, Array((free + "hold = yes\n").utf8))
    child.signal(SIGHUP)
    #expect(try eventually { try log().contains("paraph: sink outbox: held; 0 signatures wait") })
    let second = try Fixtures.publish(&publisher).id.text
    child.signal(SIGHUP)
    #expect(try eventually { try log().contains("paraph: sink outbox: held; 1 signature waits") })
    #expect(try delivered() == [first])
    try Fixtures.write(configuration, Array(free.utf8))
    child.signal(SIGHUP)
    #expect(try eventually { try delivered() == [first, second] })
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    _ = consume child
  }

  @Test func `SIGHUP reports an invalid configuration, and the old one stays in use`() throws {
    var publisher = try publisher()
    let child = try start()
    let first = try Fixtures.publish(&publisher).id.text
    #expect(try eventually { try delivered() == [first] })
    let good = try Fixtures.text(configuration)
    try Fixtures.write(configuration, Array((good + "[sink x]\ntype = pigeon\n").utf8))
    child.signal(SIGHUP)
    #expect(try eventually { try log().contains("is invalid; the previous configuration stays") })
    #expect(try log().contains("config: \(configuration):9: [sink x] type: "))
    let second = try Fixtures.publish(&publisher).id.text
    #expect(try eventually { try delivered() == [first, second] })
    // Unchanged, it is a hurry as before.
    try Fixtures.write(configuration, Array(good.utf8))
    child.signal(SIGHUP)
    #expect(try eventually { try log().contains("is unchanged") })
    _ = consume child
  }

  @Test func `SIGHUP takes over another spool`() throws {
    var publisher = try publisher()
    let child = try start()
    let first = try Fixtures.publish(&publisher).id.text
    #expect(try eventually { try delivered() == [first] })
    var other = Publisher(at: folder.path + "/other")
    _ = try other.prepare()
    let second = try Fixtures.publish(&other).id.text
    let text = try Fixtures.text(configuration)
    try Fixtures.write(
      configuration,
      Array(
        text.split(separator: "\n").map {
          $0 == "path = \(spool)" ? "path = \(folder.path)/other" : $0
        }
        .joined(separator: "\n").utf8))
    child.signal(SIGHUP)
    #expect(try eventually { try delivered() == [first, second] })
    _ = consume child
  }
}
