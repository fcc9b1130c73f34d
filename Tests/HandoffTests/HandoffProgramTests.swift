import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Handoff
@testable import Spool

/// paraph-handoff as it runs on a board, with signals, and with kill -9.
@Suite struct HandoffProgramTests: HandoffProgram {
  let folder = TemporaryFolder()

  init() throws { try prepare() }

  @Test func `the check warns of settings that can lose a signature`() throws {
    let text =
      "[spool]\npath = \(spool)\n[sink a]\ntype = mqtt\nhost = h\ntopic = t\nprotocol = 3.1.1\n"
    try Fixtures.write(configuration, Array(text.utf8))
    let result = try Programs.run("paraph-handoff", ["-c", configuration, "--check-config"])
    #expect(result.end == .exit(EX_OK))
    #expect(result.error.contains(":7: warning: [sink a] protocol: 3.1.1 has no reason codes"))
  }

  @Test func `a signature is delivered as soon as it is published, and SIGTERM ends cleanly`()
    throws
  {
    var publisher = try publisher()
    let waited = try Fixtures.publish(&publisher).id.text
    var child = try start()
    #expect(try eventually { try delivered() == [waited] })
    // The next rescan is an hour away: only the kernel's notice can bring this one.
    let fresh = try Fixtures.publish(&publisher).id.text
    #expect(try eventually { try delivered() == [waited, fresh] })
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    child.signal(SIGTERM)
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
    let lines = try log().split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "paraph: 1 sink, 1 signature waits")
    #expect(
      lines.last?.hasPrefix("paraph: delivered \(fresh) to outbox (sequence 2, attempt 1, ") == true
    )
  }

  @Test func `a spool that appears late, vanishes and returns is found`() throws {
    try configure("rescan = 1s")
    let child = try start()
    #expect(try eventually { try log().contains("No such file or directory") })
    var publisher = try publisher()
    let first = try Fixtures.publish(&publisher).id.text
    #expect(try eventually { try delivered().contains(first) })
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    // Another spool under the same name, as a mount over it would be.
    rename(spool, folder.path + "/old")
    var second = try self.publisher()
    let late = try Fixtures.publish(&second).id.text
    #expect(try eventually { try delivered().contains(late) })
    let watched = try Fixtures.publish(&second).id.text
    #expect(try eventually { try delivered().contains(watched) })
    _ = consume child
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `a start with everything on record synchronises nothing`() throws {
    try configure("rescan = 1h", sinks: ["outbox", "absent"])
    var publisher = try publisher()
    for _ in 0..<5 { _ = try Fixtures.publish(&publisher) }
    #expect(try Programs.run("paraph-handoff", ["-c", configuration, "--once"]).end == .exit(75))
    let trace = folder.path + "/trace"
    let result = try Programs.run(
      path: SystemCalls.tracer,
      [
        "-f", "-qq", "-o", trace, "-e", "trace=fsync", Programs.path("paraph-handoff"), "-c",
        configuration, "--once",
      ])
    #expect(result.end == .exit(75))
    let calls = try Fixtures.text(trace)
    #expect(!calls.contains("fsync("), "\(calls)")
  }

  @Test func `the records of version 0.1.0 are read`() throws {
    try configure("rescan = 1h", sinks: ["outbox", "second"])
    mkdir(folder.path + "/second", 0o770)
    var publisher = try publisher()
    let ids = try (0..<3).map { _ in try Fixtures.publish(&publisher).id.text }
    let records = [
      #"{"outcome": "delivered", "attempts": 0, "reason": null}"#,
      #"{"outcome": "pending", "attempts": 7, "reason": "no route"}"#,
      #"{"outcome": "never", "attempts": 0, "reason": "HTTP 413"}"#,
    ]
    for (id, record) in zip(ids, records) {
      mkdir("\(spool)/state/\(id)", 0o770)
      try Fixtures.write("\(spool)/state/\(id)/outbox", Array((record + "\n").utf8))
    }
    let result = try Programs.run("paraph-handoff", ["-c", configuration, "--once"])
    #expect(result.end == .exit(75))
    #expect(try delivered() == [ids[1]])
    #expect(try Set(Folder(folder.path + "/second").names()) == Set(ids))
    #expect(result.error.contains("delivered \(ids[1]) to outbox (sequence 2, attempt 8, "))
    #expect(try Spool(at: spool).reason(of: ids[2]) == "outbox: HTTP 413\n")
  }

  @Test func `a receiver that rejects everything moves nothing to failed, and the log says so`()
    throws
  {
    let script = folder.path + "/reject"
    // 65 (EX_DATAERR) rejects for good.
    try Fixtures.write(script, Array("#!/bin/sh\necho x >> \(folder.path)/asked\nexit 65\n".utf8))
    chmod(script, 0o755)
    let sink = "[spool]\npath = \(spool)\n[sink web]\ntype = command\ncommand = \(script)\n"
    try Fixtures.write(configuration, Array(sink.utf8))
    var publisher = try publisher()
    let ids = Set(try (0..<20).map { _ in try Fixtures.publish(&publisher).id.text })
    let once = try Programs.run("paraph-handoff", ["-c", configuration, "--once"])
    #expect(once.end == .exit(75))
    #expect(try Fixtures.text(folder.path + "/asked").split(separator: "\n").count == 3)
    try Fixtures.write(
      configuration, Array((sink + "[handoff]\nfirst-pause = 1ms\nlongest-pause = 10ms\n").utf8))
    var child = try start()
    #expect(
      try eventually {
        try Fixtures.text(folder.path + "/asked").split(separator: "\n").count > 100
      })
    #expect(try Folder(spool + "/failed").names().isEmpty)
    #expect(try Set(Folder(spool + "/new").names()) == ids)
    #expect(
      try log().split(separator: "\n").count {
        $0.hasPrefix("paraph: web: rejected 3 different signatures in a row")
      } == 1)
    // The receiver is mended.
    try Fixtures.write(script, Array("#!/bin/sh\nexit 0\n".utf8))
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    #expect(try Folder(spool + "/failed").names().isEmpty)
    child.signal(SIGTERM)
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
  }

  @Test func `an item that alone is rejected fails, and --once reports it`() throws {
    let script = folder.path + "/reject"
    var publisher = try publisher()
    let ids = try (0..<5).map { _ in try Fixtures.publish(&publisher).id.text }
    try Fixtures.write(
      script, Array("#!/bin/sh\n[ $PARAPH_ID != \(ids[2]) ] || exit 65\n".utf8))
    chmod(script, 0o755)
    try Fixtures.write(
      configuration,
      Array("[spool]\npath = \(spool)\n[sink web]\ntype = command\ncommand = \(script)\n".utf8))
    // The middle one comes last, and nothing is accepted after it.
    #expect(try Programs.run("paraph-handoff", ["-c", configuration, "--once"]).end == .exit(75))
    #expect(try Folder(spool + "/new").names() == [ids[2]])
    _ = try Fixtures.publish(&publisher)
    #expect(try Programs.run("paraph-handoff", ["-c", configuration, "--once"]).end == .exit(75))
    #expect(try Folder(spool + "/new").names().isEmpty)
    #expect(try Set(Folder(spool + "/failed").names()) == [ids[2], ids[2] + ".reason"])
    #expect(try Programs.run("paraph-handoff", ["-c", configuration, "--once"]).end == .exit(0))
  }

  @Test func `an item that is too large fails`() throws {
    try configure("rescan = 1h\nmaximum-item = 64K")
    var publisher = try publisher()
    let small = try Fixtures.publish(&publisher).id.text
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png(padding: 40 << 10))
    try draft.write(.svg, [UInt8](repeating: 1, count: 40 << 10))
    let large = try draft.publish(Fixtures.description).id.text
    #expect(try Programs.run("paraph-handoff", ["-c", configuration, "--once"]).end == .exit(75))
    #expect(try delivered() == [small])
    #expect(try Spool(at: spool).reason(of: large) == "is larger than 65536 bytes\n")
  }

  /// The peak of four sinks stays near that of one: they share a copy.
  @Test(.enabled(if: Sanitizer.isOff, "a sanitizer has memory of its own"))
  func `sinks that deliver the same large item share its memory`() throws {
    let sinks = ["one", "two", "three", "four"]
    for sink in sinks { mkdir("\(folder.path)/\(sink)", 0o770) }
    try configure("rescan = 1h", sinks: sinks)
    var publisher = try publisher()
    _ = try Fixtures.publish(&publisher)
    var child = try start()
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    let before = try peak(child)
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png(padding: 24 << 20))
    _ = try draft.publish(Fixtures.description)
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    #expect(try peak(child) - before < 60 << 10)
    child.signal(SIGTERM)
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
  }

  /// VmHWM in kilobytes.
  private func peak(_ child: borrowing ChildProcess) throws -> Int {
    let lines = try Fixtures.text("/proc/\(child.pid)/status").split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter { $0.isNumber }))
  }

  @Test func `lost notices are made up for by a scan`() throws {
    var publisher = try publisher()
    let first = try Fixtures.publish(&publisher).id.text
    let child = try start()
    #expect(try eventually { try delivered() == [first] })
    child.signal(SIGSTOP)
    let limit = try Fixtures.read("/proc/sys/fs/inotify/max_queued_events")
    let queue = try #require(Int(String(decoding: limit.dropLast(), as: UTF8.self)))
    // Renaming one folder in and out fills the queue; notices of different names do not merge.
    mkdir(spool + "/new/a", 0o770)
    for index in 0...(queue + 10) {
      rename(
        spool + "/new/" + (index % 2 == 0 ? "a" : "b"),
        spool + "/new/" + (index % 2 == 0 ? "b" : "a"))
    }
    rmdir(spool + "/new/a")
    rmdir(spool + "/new/b")
    let lost = try Fixtures.publish(&publisher).id.text
    child.signal(SIGCONT)
    #expect(try eventually { try delivered() == [first, lost] })
  }

  @Test(
    .enabled(if: Requirement.canLimitNotices, "needs user namespaces"),
    arguments: [
      ("watches", "inotify_add_watch ", "No space left on device"),
      ("instances", "inotify_init1", "Too many open files"),
    ])
  func `without notices of the kernel, scans find the signatures`(
    limit: String, call: String, error: String
  ) throws {
    try configure("rescan = 1s")
    var publisher = try publisher()
    let first = try Fixtures.publish(&publisher).id.text
    let log = try Programs.open(folder.path + "/log")
    let script = """
      echo 0 > /proc/sys/user/max_inotify_\(limit) && exec \(Programs.path("paraph-handoff")) \
        -c \(configuration)
      """
    let child = try ChildProcess(
      "/usr/bin/unshare", ["--user", "--map-root-user", "/bin/sh", "-c", script], error: log.number)
    #expect(try eventually { try delivered() == [first] })
    let second = try Fixtures.publish(&publisher).id.text
    #expect(try eventually { try delivered() == [first, second] })
    let lines = try self.log().split(separator: "\n").filter { $0.contains("inotify") }
    let prefix = "paraph: spool: new signatures are not noticed at once (\(call)"
    #expect(lines.count == 1 && lines[0].hasPrefix(prefix))
    #expect(lines.first?.hasSuffix(": \(error)); scanning every 1 s") == true)
    _ = consume child
  }

  @Test func `counters are written for a collector`() throws {
    let file = folder.path + "/paraph.prom"
    try configure("rescan = 1h\nmetrics = \(file)")
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
    var child = try start()
    #expect(try eventually { try delivered() == [id] })
    child.signal(SIGTERM)
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
    let text = String(decoding: try Fixtures.read(file), as: UTF8.self)
    #expect(text.contains("\nparaph_handoff_delivered_total{sink=\"outbox\"} 1\n"))
    #expect(text.contains("\nparaph_handoff_waiting{sink=\"outbox\"} 0\n"))
  }

  /// In a network of its own.
  @Test(.enabled(if: TestMachine.canUnshare, "it takes root, unshare and ip"))
  func `a returning network ends the pauses`() throws {
    // After the first failure of this run, days; after a network that came back, the first pause at most.
    try configure("rescan = 1h\nfirst-pause = 100ms\nlongest-pause = 7d", sinks: ["later"])
    var publisher = try publisher()
    let item = try Fixtures.publish(&publisher).id
    let id = item.text
    try Spool(at: spool).record(SinkState(attempts: 40), of: "later", for: item, durable: false)
    let script = """
      \(Programs.path("paraph-handoff")) -c \(configuration) 2> \(folder.path)/log &
      until [ -e \(folder.path)/up ]; do sleep 0.02; done
      ip link set lo up && ip route add default dev lo
      wait
      """
    let null = try FileDescriptor(opening: "/dev/null", O_WRONLY)
    let child = try ChildProcess(
      "/usr/bin/unshare", ["-n", "/bin/sh", "-c", script], output: null.number, error: null.number)
    #expect(
      try eventually {
        try Fixtures.exists(folder.path + "/log") && log().contains("delivery of \(id) failed")
      })
    mkdir(folder.path + "/later", 0o770)
    try Fixtures.write(folder.path + "/up", [])
    #expect(eventually { Fixtures.exists("\(folder.path)/later/\(id)") })
    _ = consume child
  }

  /// With users of their own.
  @Test(.enabled(if: TestMachine.canChangeUser, "it takes root and setpriv"))
  func `files that another user of the group puts into the spool block nothing`() throws {
    func run(_ user: Int, _ program: String, _ arguments: [String]) throws -> Programs.Result {
      try Programs.run(
        path: "/usr/bin/setpriv",
        ["--reuid", "\(user)", "--regid", "64000", "--clear-groups", program] + arguments)
    }
    chmod(folder.path, 0o755)
    for path in [spool, outbox] {
      mkdir(path, 0o770)
      chown(path, 64001, 64000)
      chmod(path, 0o2770)
    }
    chmod(configuration, 0o644)
    let good = try run(64001, Programs.path("spool-driver"), [spool, "3"])
    #expect(good.end == .exit(0), "\(good.text)")
    let ids = Set(good.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) })
    let id = "0192f0c1-2d3e-7a4b-8c5d-00000000000"
    let strange = """
      cd \(spool)/new
      ln -s /etc/passwd \(id)1
      mkdir -m 0700 \(id)2 && echo '{}' > \(id)2/signature.json
      mkfifo \(id)3
      mkdir -m 0770 \(id)4 && truncate -s 1T \(id)4/signature.png && echo '{' > \(id)4/signature.json
      cp -r \(ids.min() ?? "") \(id)5 && chmod 0770 \(id)5
      printf x > "$(printf 'a\\n\\033[2J')"
      """
    #expect(try run(64002, "/bin/sh", ["-c", strange]).end == .exit(0))
    let end = try run(64003, Programs.path("paraph-handoff"), ["-c", configuration, "--once"])
    #expect(try delivered() == ids, "\(end.text)")
    // A folder that only its owner may open cannot be moved by anybody else (rename(2)): it is named.
    #expect(try Folder(spool + "/new").names() == [id + "2"], "\(end.text)")
    #expect(end.error.contains("new/\(id)2"), "\(end.text)")
    let failed = try Folder(spool + "/failed").names()
    #expect(failed.count { !$0.hasSuffix(".reason") } == 5, "\(end.text)")
    #expect(failed.count { $0.hasSuffix(".reason") } == 5, "\(end.text)")
    #expect(!end.error.contains("\u{1b}"))
  }

  @Test func `the exit code of --once tells whether something is left`() throws {
    var publisher = try publisher()
    _ = try Fixtures.publish(&publisher)
    rmdir(outbox)
    #expect(try Programs.run("paraph-handoff", ["-c", configuration, "--once"]).end == .exit(75))
    mkdir(outbox, 0o770)
    #expect(try Programs.run("paraph-handoff", ["-c", configuration, "--once"]).end == .exit(0))
  }

  @Test func `without its spool, or beside another that delivers, --once ends with 75`() throws {
    let bare = try Programs.run("paraph-handoff", ["-c", configuration, "--once"])
    #expect(bare.end == .exit(75))
    #expect(bare.text == "paraph: spool: open \(spool): No such file or directory\n")
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
    let child = try startTooEarly(for: id)
    let second = try Programs.run("paraph-handoff", ["-c", configuration, "--once"])
    #expect(second.end == .exit(75))
    #expect(second.text.hasPrefix("paraph: spool: another paraph-handoff delivers from \(spool); "))
    #expect(second.text.split(separator: "\n").count == 1)
    #expect(!Fixtures.exists("\(folder.path)/later/\(id)"))
    child.signal(SIGHUP)
    #expect(eventually { Fixtures.exists("\(folder.path)/later/\(id)") })
    // One that waits for signatures leaves the spool to others.
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    #expect(try Programs.run("paraph-handoff", ["-c", configuration, "--once"]).end == .exit(0))
    _ = consume child
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends --once in the middle of a delivery, and says that something is left`(
    signal: Int32
  ) throws {
    let script = folder.path + "/slow"
    let lines = [
      "#!/bin/sh", "echo x >> \(folder.path)/begun",
      "until [ -e \(folder.path)/go ]; do sleep 0.01; done", "exit 75\n",
    ]
    try Fixtures.write(script, Array(lines.joined(separator: "\n").utf8))
    chmod(script, 0o755)
    let text = "[spool]\npath = \(spool)\n[sink slow]\ntype = command\ncommand = \(script)\n"
    try Fixtures.write(configuration, Array((text + "time-limit = 1h\n").utf8))
    var publisher = try publisher()
    let ids = try (0..<2).map { _ in try Fixtures.publish(&publisher).id.text }
    let log = try Programs.open(folder.path + "/log")
    var child = try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", configuration, "--once"], output: log.number,
      error: log.number)
    #expect(eventually { Fixtures.exists(folder.path + "/begun") })
    child.signal(signal)
    // What is under way ends, and nothing else begins.
    try Fixtures.write(folder.path + "/go", [])
    #expect(try child.wait(milliseconds: 30_000) == .exit(75))
    #expect(try Fixtures.text(folder.path + "/begun") == "x\n")
    #expect(try Set(Folder(spool + "/new").names()) == Set(ids))
  }

  @Test func `invalid arguments, an invalid configuration and help have their exit codes`() throws {
    #expect(try Programs.run("paraph-handoff", ["--never"]).end == .exit(64))
    #expect(try Programs.run("paraph-handoff", ["stray"]).end == .exit(64))
    let help = try Programs.run("paraph-handoff", ["--help"])
    #expect(help.end == .exit(0) && help.text.hasPrefix("usage: paraph-handoff"))
    #expect(try Programs.run("paraph-handoff", ["--version"]).text.hasPrefix("paraph-handoff "))
    #expect(
      try Programs.run("paraph-handoff", ["-c", configuration, "--check-config"]).end == .exit(0))
    try configure("retain = for ever")
    let refused = try Programs.run("paraph-handoff", ["-c", configuration, "--check-config"])
    #expect(refused.end == .exit(78))
    #expect(refused.text.hasPrefix("config: \(configuration):4: [handoff] retain: must be"))
  }
}
