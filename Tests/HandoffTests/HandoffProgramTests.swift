import CLinux
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// paraph-handoff as it runs on a board, with signals, and with kill -9.
@Suite struct HandoffProgramTests {
  let folder = TemporaryFolder()
  var spool: String { folder.path + "/spool" }
  var outbox: String { folder.path + "/outbox" }
  var configuration: String { folder.path + "/handoff.conf" }

  init() throws {
    mkdir(outbox, 0o770)
    try configure("rescan = 1h")
  }

  func configure(_ handoff: String, sinks: [String] = ["outbox"]) throws {
    var text = "[spool]\npath = \(spool)\n[handoff]\n\(handoff)\n"
    for sink in sinks {
      text += "[sink \(sink)]\ntype = directory\npath = \(folder.path)/\(sink)\n"
    }
    try Fixtures.write(configuration, Array(text.utf8))
  }

  func start() throws -> ChildProcess {
    let log = try Programs.open(folder.path + "/log")
    return try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", configuration], error: log.number)
  }

  func log() throws -> String {
    String(decoding: try Fixtures.read(folder.path + "/log"), as: UTF8.self)
  }

  func delivered() throws -> Set<String> { Set(try Folder(outbox).names()) }

  func publisher() throws -> Publisher {
    let publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    return publisher
  }

  @Test func `the check warns of what may discard a signature`() throws {
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
    #expect(lines.count == 2)
    #expect(lines[1].hasPrefix("paraph: delivered \(fresh) to outbox (sequence 2, attempt 1, "))
  }

  @Test func `a spool that comes late, goes and comes back is found`() throws {
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

  /// A program that could not deliver an item, could now, and tries again in an hour.
  private func startTooEarly(for id: String) throws -> ChildProcess {
    try configure("rescan = 1h\nfirst-pause = 1h\nlongest-pause = 2h", sinks: ["later"])
    let child = try start()
    #expect(try eventually { try log().contains("could not take \(id)") })
    mkdir(folder.path + "/later", 0o770)
    return child
  }

  @Test func `SIGHUP tries again what waits`() throws {
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
    let child = try startTooEarly(for: id)
    child.signal(SIGHUP)
    #expect(eventually { Fixtures.exists("\(folder.path)/later/\(id)") })
    #expect(try log().contains("(sequence 1, attempt 2, "))
  }

  @Test func `a lost queue of notices is survived`() throws {
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
  @Test(.enabled(if: Requirement.hasNetworks, "it takes root, unshare and ip"))
  func `a network that comes back ends the pauses`() throws {
    try configure("rescan = 1h\nfirst-pause = 1h\nlongest-pause = 2h", sinks: ["later"])
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
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
        try Fixtures.exists(folder.path + "/log") && log().contains("could not take \(id)")
      })
    mkdir(folder.path + "/later", 0o770)
    try Fixtures.write(folder.path + "/up", [])
    #expect(eventually { Fixtures.exists("\(folder.path)/later/\(id)") })
    _ = consume child
  }

  /// With users of their own.
  @Test(.enabled(if: Requirement.hasUsers, "it takes root and setpriv"))
  func `what another user of the group drops into the spool hurts nothing`() throws {
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

  @Test func `--once says by its exit code whether something is left`() throws {
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
    #expect(second.text.hasPrefix("paraph: another paraph-handoff delivers from \(spool): "))
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
    try Fixtures.write(
      script, Array("#!/bin/sh\ntouch \(folder.path)/begun\nexec sleep 600\n".utf8))
    chmod(script, 0o755)
    let text = "[spool]\npath = \(spool)\n[sink slow]\ntype = command\ncommand = \(script)\n"
    try Fixtures.write(configuration, Array((text + "time-limit = 1h\n").utf8))
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
    let log = try Programs.open(folder.path + "/log")
    var child = try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", configuration, "--once"], output: log.number,
      error: log.number)
    #expect(eventually { Fixtures.exists(folder.path + "/begun") })
    child.signal(signal)
    #expect(try child.wait(milliseconds: 30_000) == .exit(75))
    #expect(try Folder(spool + "/new").names() == [id])
  }

  @Test func `wrong use, wrong configuration and help have their exit codes`() throws {
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
