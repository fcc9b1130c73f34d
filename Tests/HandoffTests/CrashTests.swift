import CLinux
import Configuration
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// Items and records that end the program. Each start is one that a service manager would make.
@Suite struct CrashTests {
  let folder = TemporaryFolder()
  var spool: String { folder.path + "/spool" }
  var conf: String { folder.path + "/conf" }

  init() throws {
    mkdir(folder.path + "/one", 0o770)
    mkdir(folder.path + "/run", 0o770)
  }

  func configure(_ sinks: String, _ handoff: String = "") throws {
    try Fixtures.write(
      conf, Array("[spool]\npath = \(spool)\n[handoff]\n\(handoff)\n\(sinks)".utf8))
  }

  /// A sink whose program sends `signal` to paraph-handoff when it is given one of the items in the file `poison`.
  func lethalSink(_ signal: String) throws {
    let script = folder.path + "/deliver"
    let text = """
      #!/bin/sh
      grep -q "$PARAPH_ID" \(folder.path)/poison || exit 0
      echo "$PARAPH_ID" >> \(folder.path)/deaths
      above=$PPID
      while [ "$(cat /proc/$above/comm)" != paraph-handoff ]; do
        above=$(sed 's/.*) . \\([0-9]*\\).*/\\1/' /proc/$above/stat)
      done
      kill -\(signal) $above
      sleep 60
      """
    try Fixtures.write(script, Array(text.utf8))
    chmod(script, 0o755)
    try configure(
      "[sink one]\ntype = directory\npath = \(folder.path)/one\n"
        + "[sink program]\ntype = command\ncommand = \(script)\n")
  }

  func publish(_ count: Int) throws -> [String] {
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    return try (0..<count).map { _ in try Fixtures.publish(&publisher).id.text }
  }

  /// Runs the program once; `runtime`: whether a service manager gives it a runtime directory.
  func run(runtime: Bool = true, launcher: [String] = []) throws -> Programs.Result {
    let words = launcher + [Programs.path("paraph-handoff"), "-c", conf, "--once"]
    let environment = runtime ? "RUNTIME_DIRECTORY=\(folder.path)/run" : "PARAPH_NOTHING="
    // Swift's handler of fatal signals would survive one that was only sent.
    return try Programs.run(
      path: "/usr/bin/env", [environment, "SWIFT_BACKTRACE=enable=no"] + words)
  }

  func names(_ place: String) throws -> [String] { try Folder("\(folder.path)/\(place)").names() }

  @Test(arguments: [1, 3]) func `a suspect of a held sink stays on record`(count: Int) throws {
    let ids = try publish(1)
    try Fixtures.write("\(folder.path)/run/delivery.one.\(ids[0])", try crashes(count))
    try configure("[sink one]\ntype = directory\npath = \(folder.path)/one\nhold = yes\n")
    #expect(try run().end == .exit(75))
    #expect(try names("run") == ["delivery.one.\(ids[0])"])
    #expect(try names("spool/failed").isEmpty && names("spool/new") == ids)
  }

  @Test(arguments: [("ILL", true), ("KILL", false), ("ABRT", true)])
  func `an item that ended three deliveries is set aside, and the rest is delivered`(
    signal: String, runtime: Bool
  ) throws {
    try lethalSink(signal)
    let ids = try publish(5)
    try Fixtures.write(folder.path + "/poison", Array((ids[2] + "\n").utf8))
    for _ in 1...3 {
      if case .signal = try run(runtime: runtime).end { continue }
      Issue.record("was not ended by a signal")
    }
    let last = try run(runtime: runtime)
    #expect(last.end == .exit(75), "\(last.text)")
    let lines = last.error.split(separator: "\n").filter { $0.contains("moved to failed/") }
    let line: String =
      "paraph: \(ids[2]): moved to failed/ "
      + "(crashed paraph-handoff 3 times while it was delivered to program)"
    #expect(lines.count == 1 && lines.first.map { String($0) } == line)
    #expect(try names("spool/new").isEmpty)
    #expect(try Set(names("spool/failed")) == [ids[2], ids[2] + ".reason"])
    #expect(try Fixtures.text(folder.path + "/deaths").split(separator: "\n").count == 3)
    #expect(try Set(names("one")).isSuperset(of: ids.filter { $0 != ids[2] }))
    #expect(try run(runtime: runtime).end == .exit(0))
  }

  @Test func `other deliveries that ran during the crash are not set aside`() throws {
    try lethalSink("KILL")
    let ids = try publish(1)
    try Fixtures.write(folder.path + "/poison", Array((ids[0] + "\n").utf8))
    // Both sinks begin with the same item; only one of them ends the program.
    for _ in 1...3 { #expect(try run().end == .signal(SIGKILL)) }
    #expect(try run().end == .exit(75))
    #expect(try names("one") == ids)
    #expect(try names("run").isEmpty)
  }

  @Test func `SIGTERM, a delivery that ends, and another boot count for nothing`() throws {
    let script = folder.path + "/slow"
    let begun = folder.path + "/begun"
    try Fixtures.write(script, Array("#!/bin/sh\ntouch \(begun)\nexec sleep 600\n".utf8))
    chmod(script, 0o755)
    try configure("[sink slow]\ntype = command\ncommand = \(script)\n", "first-pause = 10ms")
    let id = try publish(1)[0]
    // In this process, which need not wait as long as the program for what is under way.
    let event = try EventDescriptor()
    event.signal()
    for _ in 1...2 {
      #expect(Delivery.Limits().shutdown == 5_000_000_000)
      let limits = Delivery.Limits(shutdown: 10_000_000)
      let delivery = try Delivery(HandoffConfiguration(reading: conf), limits) { _, _ in }
      #expect(
        try delivery.runOnce(event.number) { Fixtures.exists(begun) ? SIGTERM : nil } == 1)
      #expect(try names("spool/state/.attempts").isEmpty)
      unlink(begun)
    }
    for round in 1...2 {
      let log = try Programs.open(folder.path + "/log")
      var child = try ChildProcess(
        Programs.path("paraph-handoff"), ["-c", conf],
        environment: ["RUNTIME_DIRECTORY=\(folder.path)/run"], error: log.number)
      #expect(eventually { Fixtures.exists(begun) }, "\(round)")
      unlink(begun)
      child.signal(SIGKILL)
      #expect(try child.wait() == .signal(SIGKILL))
      #expect(try names("run") == ["delivery.slow.\(id)"])
      // The runtime directory goes with the boot.
      if round == 1 { try Folder(folder.path + "/run").removeTree("delivery.slow.\(id)") }
    }
    #expect(try names("spool/new") == [id])
  }

  /// With less address space than the item needs; the interpreter of no sink runs under that limit.
  @Test(
    .enabled(if: Fixtures.exists("/usr/bin/prlimit"), "needs prlimit"),
    .enabled(if: Sanitizer.isOff, "a sanitizer has memory of its own"))
  func `an item that exhausts the memory is set aside`() throws {
    try configure("[sink one]\ntype = directory\npath = \(folder.path)/one\n")
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    var ids = [try Fixtures.publish(&publisher).id.text]
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png(padding: 30 << 20))
    ids.append(try draft.publish(Fixtures.description).id.text)
    ids.append(try Fixtures.publish(&publisher).id.text)
    let limited = [
      "/usr/bin/env", "MALLOC_ARENA_MAX=1", "/usr/bin/prlimit", "--as=\(try addressSpace())",
    ]
    var end: Programs.Result?
    for _ in 1...3 {
      let result = try run(launcher: limited)
      if case .signal = result.end {} else { Issue.record("not ended by a signal: \(result.text)") }
      end = result
    }
    end = try run(launcher: limited)
    #expect(end?.end == .exit(75), "\(end?.text ?? "")")
    #expect(try Set(names("spool/failed")) == [ids[1], ids[1] + ".reason"])
    #expect(try Set(names("one")) == [ids[0], ids[2]])
  }

  /// What the program needs by itself, and 20 MB: found out with an empty spool.
  func addressSpace() throws -> Int {
    let log = try Programs.open(folder.path + "/size-log")
    var text = try Fixtures.text(conf)
    text = text.split(separator: "\n").map {
      $0.hasPrefix("path = \(spool)") ? "path = \(folder.path)/empty" : $0
    }
    .joined(separator: "\n")
    try Fixtures.write(folder.path + "/size-conf", Array(text.utf8))
    _ = try Publisher(at: folder.path + "/empty").prepare()
    let child = try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", folder.path + "/size-conf"],
      // A thread's heap of its own is 64 MB of address space.
      environment: ["MALLOC_ARENA_MAX=1"], error: log.number)
    var size = 0
    #expect(
      try eventually {
        let status = try Fixtures.text("/proc/\(child.pid)/status")
        let lines = status.split(separator: "\n")
        // Both threads run: the sink waits for its first item.
        guard lines.contains(where: { $0.hasPrefix("Threads:") && $0.hasSuffix("2") }) else {
          return false
        }
        size =
          lines.first { $0.hasPrefix("VmPeak:") }.flatMap { Int($0.filter { $0.isNumber }) } ?? 0
        return size > 0
      })
    _ = consume child
    return (size << 10) + (20 << 20)
  }

  @Test func `records that ended three starts are set aside, and the item is delivered`() throws {
    try configure("[sink one]\ntype = directory\npath = \(folder.path)/one\n")
    let ids = try publish(3)
    let state = "\(spool)/state/\(ids[1])"
    mkdir(state, 0o770)
    try Fixtures.write(
      state + "/one", Array(#"{"outcome": "pending", "attempts": 1, "reason": null}"#.utf8))
    // As three starts that it ended leave it: the first read it with others.
    try Fixtures.write(folder.path + "/run/reading", try crashes(3))
    try Fixtures.write(folder.path + "/run/records.\(ids[1])", try crashes(2))
    let end = try run()
    #expect(
      end.error.contains(
        "\(ids[1]): records were moved to failed/records-\(ids[1]) (crashed paraph-handoff 3 times"
      ))
    #expect(end.end == .exit(0), "\(end.text)")
    #expect(try Set(names("one")) == Set(ids))
    #expect(try Set(names("spool/failed")) == ["records-\(ids[1])", "records-\(ids[1]).reason"])
    #expect(try names("run").isEmpty)
  }

  @Test func `a manifest that ended three starts is set aside`() throws {
    try configure("[sink one]\ntype = directory\npath = \(folder.path)/one\n")
    let ids = try publish(3)
    try Fixtures.write(folder.path + "/run/reading", try crashes(3))
    try Fixtures.write(folder.path + "/run/manifest.\(ids[1])", try crashes(2))
    #expect(try run().end == .exit(75))
    #expect(try Set(names("one")) == [ids[0], ids[2]])
    #expect(try Set(names("spool/failed")) == [ids[1], ids[1] + ".reason"])
  }

  @Test(arguments: ["delivery.one", "manifest"])
  func `an item that cannot be set aside remains suspect until it is`(work: String) throws {
    try configure("[sink one]\ntype = directory\npath = \(folder.path)/one\n")
    let ids = try publish(2)
    let record = "\(work).\(ids[0])"
    try Fixtures.write("\(folder.path)/run/\(record)", try crashes(3))
    // Its name is taken.
    mkdir("\(spool)/failed/\(ids[0])", 0o770)
    for _ in 1...2 {
      #expect(try run().end == .exit(75))
      #expect(try names("one") == [ids[1]])
      #expect(try names("run") == [record])
    }
    rmdir("\(spool)/failed/\(ids[0])")
    #expect(try run().end == .exit(75))
    #expect(try names("one") == [ids[1]])
    #expect(try Set(names("spool/failed")) == [ids[0], ids[0] + ".reason"])
    #expect(try names("run").isEmpty)
  }

  @Test func `a sink that was removed from the configuration is not suspect`() throws {
    try configure("[sink one]\ntype = directory\npath = \(folder.path)/one\n")
    let ids = try publish(1)
    try Fixtures.write("\(folder.path)/run/delivery.two.\(ids[0])", try crashes(3))
    #expect(try run().end == .exit(0))
    #expect(try names("one") == ids)
    #expect(try names("run").isEmpty)
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `a manifest that ends the program before the suspects are delivered is set aside`() throws {
    try configure("[sink one]\ntype = directory\npath = \(folder.path)/one\n")
    let ids = try publish(2)
    try Fixtures.write("\(folder.path)/run/delivery.one.\(ids[0])", try crashes(1))
    // Whatever is opened in the item's folder.
    let lethal = [
      SystemCalls.tracer, "-f", "-qq", "-o", "/dev/null", "-P", "\(spool)/new/\(ids[0])", "-e",
      "trace=openat", "-e", "inject=openat:signal=KILL",
    ]
    for _ in 1...3 { #expect(try run(launcher: lethal).end != .exit(75)) }
    #expect(try run(launcher: lethal).end == .exit(75))
    #expect(try Set(names("spool/failed")) == [ids[0], ids[0] + ".reason"])
    #expect(try names("one") == [ids[1]])
    #expect(try names("run").isEmpty)
  }

  /// A delivery that reads and delivers in this process, with a delivery of the first item to `program` on record.
  private func suspecting(
    _ id: String, script: String, _ limits: Delivery.Limits = .init()
  ) throws -> Delivery {
    let path = folder.path + "/deliver"
    try Fixtures.write(path, Array("#!/bin/sh\n\(script)\n".utf8))
    chmod(path, 0o755)
    let text = """
      [spool]
      path = \(spool)
      [sink one]
      type = directory
      path = \(folder.path)/one
      [sink program]
      type = command
      command = \(path)
      time-limit = 5s
      """
    let records = "\(spool)/state/.attempts"
    mkdir(records, 0o770)
    try Fixtures.write("\(records)/delivery.program.\(id)", try crashes(1))
    return try Delivery(HandoffConfiguration(text, file: "test"), limits) { _, _ in }
  }

  @Test func `nothing is read while a suspect is delivered`() throws {
    let ids = try publish(3)
    let delivery = try suspecting(
      ids[0], script: "until [ -e \(folder.path)/go ]; do sleep 0.01; done")
    for _ in 1...3 { _ = delivery.step(at: MonotonicClock.now) }
    let late = try publish(1)[0]
    delivery.scheduler.readNotices(at: MonotonicClock.now)
    #expect(delivery.step(at: MonotonicClock.now) > 0)
    #expect(delivery.scheduler.unread.map { $0.text } == [ids[2], ids[1], late])
    #expect(try names("one").isEmpty)
    try Fixtures.write(folder.path + "/go", [])
    #expect(try delivery.runOnce() == 0)
    #expect(try Set(names("one")) == Set(ids + [late]))
    #expect(try names("spool/state/.attempts").isEmpty)
  }

  @Test func `a suspect whose receiver does not answer delays the others only for a while`()
    throws
  {
    let ids = try publish(3)
    // It ends well only if the others are delivered within its time limit.
    let delivery = try suspecting(
      ids[0], script: "until [ -e \(folder.path)/one/\(ids[2]) ]; do sleep 0.01; done",
      Delivery.Limits(alone: 100_000_000))
    #expect(Delivery.Limits().alone == 30_000_000_000)
    #expect(try delivery.runOnce() == 0)
    #expect(try Set(names("one")) == Set(ids))
  }

  @Test func `after the last suspect, the others continue beside an earlier one`() throws {
    var suspects = CrashSuspects(
      CrashRecords(spool: folder.path), sinks: ["one", "two"], timeLimit: 100)
    for sink in 0...1 {
      var counter = CrashCounter(in: folder.path, "\(sink)")
      counter.begin()
      suspects.begin(.init(sink: sink, entry: Entries.entry(1), counter: counter), at: 0)
    }
    #expect(suspects.isAlone(at: 99) && !suspects.isAlone(at: 100))
    suspects.end(1)
    #expect(!suspects.isAlone(at: 99))
  }

  @Test func `a kill of the program alone also ends its children`() throws {
    let script = folder.path + "/deliver"
    let lines = [
      "#!/bin/sh", "echo $$ > \(folder.path)/new", "mv \(folder.path)/new \(folder.path)/pid",
      "sleep 1000\n",
    ]
    try Fixtures.write(script, Array(lines.joined(separator: "\n").utf8))
    chmod(script, 0o755)
    try configure("[sink slow]\ntype = command\ncommand = \(script)\n")
    _ = try publish(1)
    var child = try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", conf],
      environment: ["RUNTIME_DIRECTORY=\(folder.path)/run"])
    #expect(eventually { Fixtures.exists(folder.path + "/pid") })
    let text = try Fixtures.text(folder.path + "/pid").filter { $0.isNumber }
    let pid = try #require(Int32(text))
    // Its process group is another one: nobody but its keeper ends it.
    child.signal(SIGKILL)
    #expect(try child.wait() == .signal(SIGKILL))
    #expect(eventually { kill(pid, 0) == -1 })
  }

  private func crashes(_ count: Int) throws -> [UInt8] {
    var record = CrashRecord(boot: CrashCounter.currentBoot)
    for _ in 0..<count { record.add() }
    return record.bytes
  }
}
