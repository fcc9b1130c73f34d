import CLinux
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// A spool without room, of which one of two sinks is away: every delivery to the other one needs a record, and no
/// item leaves the disk.
@Suite(.serialized) struct FullDiskTests: HandoffProgram {
  let folder = TemporaryFolder()

  func configure(_ spool: String, _ sinks: [String] = ["a", "b"]) throws {
    try configure(
      "rescan = 1s\nfirst-pause = 10ms\nlongest-pause = 20ms", spool: spool, sinks: sinks)
  }

  /// Everything reaches a although b is away and the disk is full, also over a restart; then it reaches b.
  func deliver(_ count: Int, and more: Int, from disk: Disk, leaving free: Int64) throws {
    let spool = disk.path + "/spool"
    try configure(spool)
    mkdir(folder.path + "/a", 0o770)
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    // A disk that is full later: handoff ran when there was room.
    #expect(try Programs.run("paraph-handoff", ["-c", configuration, "--once"]).end == .exit(0))
    let first = try (0..<count).map { _ in try Fixtures.publish(&publisher).id.text }
    try disk.fill(leaving: 2 * free)
    var child = try start()
    #expect(try eventually { try delivered("a").isSuperset(of: first) })
    let second = try (0..<more).map { _ in
      disk.clear()
      let id = try Fixtures.publish(&publisher).id.text
      try disk.fill(leaving: free)
      return id
    }
    let all = Set(first + second)
    let arrived = try eventually { try delivered("a") == all }
    let log = try Fixtures.text(folder.path + "/log").suffix(1000)
    #expect(arrived, "\(log)")
    child.signal(SIGTERM)
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
    // Emptied by whoever fetches: nothing may come again.
    for id in all { try Folder(folder.path + "/a").removeTree(id) }
    let next = try start()
    mkdir(folder.path + "/b", 0o770)
    #expect(try eventually { try delivered("b") == all })
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    #expect(try delivered("a").isEmpty)
    _ = consume next
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `on a full disk, an unavailable sink stops no other`() throws {
    try deliver(15, and: 15, from: Disk(tmpfs: "1m"), leaving: 24 << 10)
  }

  @Test(.enabled(if: TestMachine.canMountImages, "needs root, mount, loop devices and mkfs.ext4"))
  func `on a full disk whose folders need blocks, the reserved space is enough`() throws {
    // A block of a folder has room for 92 names of this length.
    try deliver(90, and: 10, from: Disk(ext4: "8M"), leaving: 0)
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `a sink whose deliveries cannot be recorded waits alone, until they can`() throws {
    let disk = try Disk(tmpfs: "1m,nr_inodes=64")
    let spool = disk.path + "/spool"
    try configure(spool)
    mkdir(folder.path + "/a", 0o770)
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    let ids = Set(try (0..<8).map { _ in try Fixtures.publish(&publisher).id.text })
    try fillNames(of: disk)
    let child = try start()
    #expect(try eventually { try Fixtures.text(folder.path + "/log").contains("the sink waits") })
    let before = try delivered("a")
    #expect(!before.isEmpty && before.count < ids.count)
    mkdir(folder.path + "/b", 0o770)
    #expect(try eventually { try delivered("b") == ids })
    #expect(try eventually { try delivered("a") == ids })
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    _ = consume child
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `three sinks that each wait for room with another item do not wait for one another`() throws
  {
    let disk = try Disk(tmpfs: "1m,nr_inodes=96")
    let spool = disk.path + "/spool"
    let sinks = ["a", "b", "c"]
    try configure(spool, sinks)
    for sink in sinks { mkdir("\(folder.path)/\(sink)", 0o770) }
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    let ids = try (0..<6).map { _ in try Fixtures.publish(&publisher).id }
    // What has failed before lets the others go first: a begins with the first item, b and c with the next ones.
    let open = try Spool(at: spool)
    for (sink, id) in [("b", ids[0]), ("c", ids[0]), ("c", ids[1])] {
      try open.record(SinkState(attempts: 1), of: sink, for: id, durable: false)
    }
    try fillNames(of: disk)
    let child = try start()
    let arrived = try eventually { try Folder(spool + "/new").names().isEmpty }
    let log = try Fixtures.text(folder.path + "/log").suffix(2000)
    #expect(arrived, "\(log)")
    for sink in sinks { #expect(try delivered(sink) == Set(ids.map { $0.text })) }
    _ = consume child
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `a rejected item fails also on a full disk, perhaps without its reason`() throws {
    let disk = try Disk(tmpfs: "1m,nr_inodes=64")
    let spool = disk.path + "/spool"
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    let open = try Spool(at: spool)
    try fillNames(of: disk)
    #expect(try open.commit(.failed(id, reason: "rejected")))
    #expect(try Folder(spool + "/new").names().isEmpty)
    #expect(try Folder(spool + "/failed").names() == [id.text])
    #expect(try open.reason(of: id.text) == nil)
  }

  /// Without inodes there is not even room for names.
  func fillNames(of disk: Disk) throws {
    let filler = try Folder(disk.path)
    for index in 0..<96 {
      do { _ = try filler.makeFile("filler-\(index)", mode: 0o600) } catch { break }
    }
  }
}
