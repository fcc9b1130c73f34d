import CLinux
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// A board that was without a network for a year.
@Suite(.serialized) struct LoadTests {
  let folder = TemporaryFolder()
  var spool: String { folder.path + "/spool" }
  var outbox: String { folder.path + "/outbox" }

  /// Fills `new` without the patience of a publisher.
  func fill(_ count: Int) throws {
    _ = try Publisher(at: spool).prepare()
    let new = try Folder(spool + "/new")
    var ids = ItemIDSource()
    let picture = Fixtures.png()
    var publisher = Publisher(at: folder.path + "/pattern")
    _ = try publisher.prepare()
    var manifest = try Fixtures.publish(&publisher)
    for sequence in 1...count {
      manifest.id = try ids.next(at: 1_700_000_000_000_000_000 + Int64(sequence) * 1_000_000)
      manifest.sequence = Int64(sequence)
      let item = try new.makeFolder(manifest.id.text, mode: 0o2770)
      try item.makeFile("signature.json", mode: 0o640).writeAll(manifest.bytes)
      try item.makeFile("signature.png", mode: 0o640).writeAll(picture)
    }
    try Fixtures.write(spool + "/sequence", Array("\(count)\n".utf8))
  }

  func start(_ type: String) throws -> ChildProcess {
    let text = "[spool]\npath = \(spool)\n[sink a]\n\(type)\n"
    try Fixtures.write(folder.path + "/conf", Array(text.utf8))
    let log = try Programs.open(folder.path + "/log")
    return try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", folder.path + "/conf"], error: log.number)
  }

  /// Sequences in the order of their delivery, and when that was.
  func deliveries() throws -> [(sequence: Int64, time: Int64)] {
    try Fixtures.text(folder.path + "/log").split(separator: "\n").compactMap { line in
      guard line.hasPrefix("paraph: delivered "), let open = line.firstIndex(of: "(") else {
        return nil
      }
      let words = line[open...].dropFirst().dropLast().split(separator: ", ").map {
        $0.split(separator: " ").last.flatMap { Int64($0) } ?? 0
      }
      return words.count == 3 ? (words[0], words[2]) : nil
    }
  }

  /// VmRSS and VmHWM, in kilobytes.
  func memory(_ child: borrowing ChildProcess) throws -> (now: Int, most: Int) {
    let status = try Fixtures.text("/proc/\(child.pid)/status")
    func value(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
      return Int(line.filter { $0.isNumber }) ?? 0
    }
    return (value("VmRSS:"), value("VmHWM:"))
  }

  @Test func `a backlog is delivered whole, and a fresh signature does not wait for it`() throws {
    let count = Soak.rounds(2000, full: 100_000)
    try fill(count)
    mkdir(outbox, 0o770)
    var publisher = Publisher(at: spool)
    let start = MonotonicClock.now
    let child = try self.start("type = directory\npath = \(outbox)")
    #expect(try eventually(within: 60_000_000_000) { try !deliveries().isEmpty })
    let fresh = try Fixtures.publish(&publisher)
    #expect(
      try eventually(within: 1_800_000_000_000) { try Folder(spool + "/new").names().isEmpty })
    let done = try deliveries()
    #expect(done.count == count + 1)
    #expect(Set(done.map { $0.sequence }).count == count + 1)
    #expect(try Folder(outbox).names().count == count + 1)
    // Not behind the backlog: somewhere soon after it was published.
    let place = try #require(done.firstIndex { $0.sequence == fresh.sequence })
    #expect(place < count / 2, "delivered as number \(place)")
    let seconds = Double(done[done.count - 1].time - start) / 1e9
    let memory = try memory(child)
    Soak.figure(
      "\(count) items waiting: first delivery after \((done[0].time - start) / 1_000_000) ms")
    Soak.figure("\(Int(Double(count) / seconds)) items a second to a folder on tmpfs")
    Soak.figure("fresh item delivered as number \(place + 1)")
    Soak.figure("memory of paraph-handoff: \(memory.now) kB, at most \(memory.most) kB")
    if Soak.isOn { #expect(memory.most <= 20 << 10) }
  }

  @Test func `the memory for an undeliverable backlog does not grow`() throws {
    let count = Soak.rounds(2000, full: 100_000)
    try fill(count)
    let text = "type = directory\npath = \(outbox)"
    try Fixtures.write(folder.path + "/conf", [])
    var child = try start(text)
    #expect(
      try eventually(within: 60_000_000_000) {
        try Fixtures.text(folder.path + "/log").contains("failed (")
      })
    let before = try memory(child)
    for _ in 0..<Soak.rounds(20, full: 200) {
      let lines = try Fixtures.text(folder.path + "/log").split(separator: "\n").count
      child.signal(SIGHUP)
      #expect(
        try eventually {
          try Fixtures.text(folder.path + "/log").split(separator: "\n").count >= lines + 3
        })
    }
    let after = try memory(child)
    if Sanitizer.isOff { #expect(after.now < before.now + 4096, "\(before) \(after)") }
    #expect(try Folder(spool + "/new").names().count == count)
    Soak.figure("memory with \(count) items and no sink: \(before.now) kB, later \(after.now) kB")
    child.signal(SIGTERM)
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
  }
}
