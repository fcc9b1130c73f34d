import CLinux
import Linux
import SpoolFixtures
import SyntheticHand
import Testing

@testable import Spool

/// Publishing on a disk that fails: what was acknowledged is there, what is there is whole, what is
/// refused is refused in one clear line, and the next signature is taken again.
@Suite(.serialized) struct FaultTests {
  let folder = TemporaryFolder(on: TemporaryFolder.filesystems.last ?? "/tmp")

  func acknowledged(_ output: String) -> [(id: String, sequence: Int64)] {
    output.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 ? (String(words[0]), Int64(words[1]) ?? 0) : nil
    }
  }

  /// The items in `new`, each of which has to be whole.
  func items(_ path: String, _ comment: String) throws -> [String: Int64] {
    var items: [String: Int64] = [:]
    let new = try Folder(path + "/new")
    for name in try new.names() {
      let id = try #require(ItemID(name), "\(comment)")
      items[name] = try Item(id, in: new).manifest.sequence
    }
    return items
  }

  /// Whether a refusal is told as it should be.
  func isClear(_ result: Programs.Result) -> Bool {
    if result.end == .exit(0) { return result.error.isEmpty }
    let lines = result.error.split(separator: "\n")
    return result.end == .exit(74) && lines.count == 1 && lines[0].hasPrefix("spool: ")
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `publishing survives a disk error at every system call`() throws {
    let path = folder.path + "/spool"
    let all = try SystemCalls.faults(of: "spool-driver", [path, "2"], from: path)
    #expect(all.count > 60)
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    let faults = Soak.isOn ? all : Array(all.shuffled(using: &generator).prefix(20))
    var refused = 0
    for fault in faults {
      let comment = "\(fault)"
      let place = TemporaryFolder(on: TemporaryFolder.filesystems[0])
      let path = place.path + "/spool"
      let result = try SystemCalls.run("spool-driver", [path, "2"], with: fault)
      #expect(
        isClear(result), "\(comment): \(String(describing: result.end)) \(result.error)")
      if result.end != .exit(0) { refused += 1 }
      let promised = acknowledged(result.output)
      if Fixtures.exists(path + "/new") {
        let there = try items(path, comment)
        for promise in promised { #expect(there[promise.id] == promise.sequence, "\(comment)") }
      } else {
        #expect(promised.isEmpty, "\(comment)")
      }
      let after = try Programs.run("spool-driver", [path, "1"])
      #expect(after.end == .exit(0), "\(comment): \(after.error)")
      #expect(try Folder(path + "/tmp").names().isEmpty, "\(comment)")
      let all = try items(path, comment)
      #expect(Set(all.values).count == all.count, "\(comment): a number was given twice")
      let last = try #require(acknowledged(after.output).first?.sequence, "\(comment)")
      #expect(all.values.max() == last, "\(comment)")
    }
    // None is refused if none was injected.
    #expect(refused > 0, "seed \(seed)")
    Soak.figure("\(faults.count) faults of publishing, \(refused) refused, nothing lost")
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `a clock that a sandbox hides counts as not synchronised`() throws {
    let path = folder.path + "/spool"
    let calls = "?adjtimex,?clock_adjtime,?clock_adjtime64"
    let result = try Programs.run(
      path: SystemCalls.tracer,
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
        "inject=\(calls):error=EPERM", Programs.path("spool-driver"), path, "1",
      ])
    #expect(result.end == .exit(0), "\(result.text)")
    let new = try Folder(path + "/new")
    let name = try #require(try new.names().first)
    let item = try Item(try #require(ItemID(name)), in: new)
    #expect(!item.manifest.clockSynchronized)
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `whether the clock is set is asked before the time of a signature is taken`() throws {
    let (path, trace) = (folder.path + "/spool", folder.path + "/trace")
    let calls = "?adjtimex,?clock_adjtime,?clock_adjtime64"
    let result = try Programs.run(
      path: SystemCalls.tracer,
      [
        "-f", "-qq", "-o", trace, "-e", "trace=mkdirat,\(calls)", Programs.path("spool-driver"),
        path, "1",
      ])
    #expect(result.end == .exit(0), "\(result.text)")
    let lines = try Fixtures.text(trace).split(separator: "\n")
    let asked = try #require(lines.firstIndex { $0.contains("adjtim") })
    // Taking the time is no system call; the spool, whose folders are made, is opened after it.
    #expect(lines[asked...].contains { $0.contains("\"tmp\"") }, "\(lines)")
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `a signature that was delivered before the disk failed is not refused`() throws {
    let path = folder.path + "/spool"
    _ = try Publisher(at: path).prepare()
    let output = try Programs.open(folder.path + "/output")
    // The folder's own synchronisation takes its time, and fails.
    var child = try ChildProcess(
      SystemCalls.tracer,
      [
        "-f", "-qq", "-o", "/dev/null", "-P", path + "/new", "-e", "trace=fsync", "-e",
        "inject=fsync:error=EIO:delay_enter=500000", Programs.path("spool-driver"), path, "1",
      ], output: output.number)
    let spool = try Spool(at: path)
    #expect(try eventually { try !Spool.ids(in: spool.new).isEmpty })
    let id = try #require(Spool.ids(in: spool.new).first)
    try spool.commit(.delivered(id))
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
    #expect(try acknowledged(Fixtures.text(folder.path + "/output")).map { $0.id } == [id.text])
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `full and read-only disks refuse in one line, and work again later`() throws {
    let disk = try Disk(tmpfs: "256k")
    let path = disk.path + "/spool"
    let full = try Programs.run("spool-driver", [path, "100", "10000"])
    #expect(full.end == .exit(74))
    #expect(full.error.hasSuffix(": No space left on device\n"), "\(full.error)")
    #expect(isClear(full))
    let promised = acknowledged(full.output)
    #expect(promised.count > 2)
    #expect(try Set(items(path, "full").keys).isSuperset(of: promised.map { $0.id }))
    try Folder(path + "/new").removeTree(promised[0].id)
    try Folder(path + "/new").removeTree(promised[1].id)
    #expect(try Programs.run("spool-driver", [path, "1", "10000"]).end == .exit(0))
    try disk.remount("ro")
    let readOnly = try Programs.run("spool-driver", [path, "1"])
    #expect(readOnly.error.hasSuffix(": Read-only file system\n"), "\(readOnly.error)")
    #expect(isClear(readOnly))
    try disk.remount("rw")
    #expect(try Programs.run("spool-driver", [path, "1"]).end == .exit(0))
  }

  @Test(.enabled(if: TestMachine.canChangeUser, "needs root and setpriv"))
  func `a spool of another user is refused in one line`() throws {
    let path = folder.path + "/spool"
    chmod(folder.path, 0o755)
    _ = try Publisher(at: path).prepare()
    let words = ["--reuid", "64001", "--regid", "64000", "--clear-groups"]
    func publish() throws -> Programs.Result {
      try Programs.run(
        path: "/usr/bin/setpriv", words + [Programs.path("spool-driver"), path, "1"])
    }
    let strange = try publish()
    #expect(strange.error == "spool: open \(path): Permission denied\n")
    #expect(isClear(strange))
    chmod(path, 0o2755)
    let readOnly = try publish()
    #expect(readOnly.error.hasSuffix(": Permission denied\n"), "\(readOnly.error)")
    #expect(isClear(readOnly))
    chmod(path, 0o2770)
    for place in [""] + Spool.folderNames.map({ "/" + $0 }) { chown(path + place, 64001, 64000) }
    #expect(try publish().end == .exit(0))
  }

  @Test func `kill -9 at any moment of publishing loses nothing that was acknowledged`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    let path = folder.path + "/spool"
    let output = folder.path + "/output"
    let rounds = Soak.rounds(25, full: 1000)
    for round in 0..<rounds {
      let acknowledgements = try Programs.open(output)
      let before = try Fixtures.read(output).count
      var child = try ChildProcess(
        Programs.path("spool-driver"), [path, "1000000"], output: acknowledgements.number)
      // On a slow machine, most of them would be killed while they start.
      if round.isMultiple(of: 2) {
        #expect(try eventually { try Fixtures.read(output).count > before }, "seed \(seed)")
      }
      let end = MonotonicClock.now + Int64.random(in: 0...30_000_000, using: &generator)
      while MonotonicClock.now < end { sched_yield() }
      child.signal(SIGKILL)
      #expect(try child.wait() == .signal(SIGKILL))
    }
    let there = try items(path, "seed \(seed)")
    let promised = acknowledged(try Fixtures.text(output))
    #expect(promised.count >= rounds / 2, "seed \(seed)")
    for promise in promised { #expect(there[promise.id] == promise.sequence, "seed \(seed)") }
    // Each round can leave one that was published and not acknowledged any more.
    #expect(there.count <= promised.count + rounds, "seed \(seed)")
    #expect(Set(there.values).count == there.count, "seed \(seed): a number was given twice")
    Soak.figure("\(rounds) kills, \(promised.count) signatures acknowledged, all there")
  }
}
