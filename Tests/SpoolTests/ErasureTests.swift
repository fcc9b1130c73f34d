import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Spool

/// Erasure of items, and what the next manifests tell of it.
@Suite struct ErasureTests {
  let folder = TemporaryFolder()
  var path: String { folder.path + "/spool" }

  private func publish() throws -> Manifest {
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    return try Fixtures.publish(&publisher)
  }

  /// Everything below the spool that has the id in its name.
  private func traces(of id: ItemID) throws -> String {
    try Programs.run(path: "/usr/bin/find", [path, "-name", "*\(id.text)*"]).output
  }

  @Test(arguments: Spool.Place.allCases)
  func `an item and its records leave every folder, and the next manifest tells it once`(
    _ place: Spool.Place
  ) throws {
    _ = try publish()
    let manifest = try publish()
    let digest = try #require(ChainStateTests.items(path).last?.digest)
    let id = manifest.id
    do {
      let spool = try Spool(at: path)
      try spool.recordDelivery(of: id, to: "archive")
      try spool.record(SinkState(attempts: 2, reason: "down"), of: "web", for: id, durable: true)
      switch place {
      case .new: break
      case .failed: try spool.commit(.failed(id, reason: "refused"))
      case .delivered: try spool.commit(.delivered(id))
      }
      let erasure = try #require(try spool.erase(id, wait: 0))
      #expect(erasure.sequence == 2 && erasure.sinks == ["archive"] && !erasure.wasInFlight)
      #expect(erasure.isDelivered == (place == .delivered))
    }
    #expect(try traces(of: id) == "")
    let next = try publish()
    #expect(next.previous == .manifest(digest, isInterrupted: false))
    #expect(next.erased.map { $0.manifest } == [digest])
    #expect(next.erased.first?.previous == manifest.previous)
    #expect(try publish().erased.isEmpty)
    #expect(try Spool(at: path).erase(id, wait: 0) == nil)
  }

  @Test func `what an erased manifest has told is told again`() throws {
    let first = try publish()
    try #require(try Spool(at: path).erase(first.id, wait: 0) != nil)
    let second = try publish()
    #expect(second.erased.map { $0.manifest.sequence } == [1])
    try #require(try Spool(at: path).erase(second.id, wait: 0) != nil)
    #expect(try publish().erased.map { $0.manifest.sequence } == [1, 2])
  }

  @Test func `a signature that fails afterwards does not lose what it would have told`() throws {
    let first = try publish()
    try #require(try Spool(at: path).erase(first.id, wait: 0) != nil)
    var publisher = Publisher(at: path)
    do {
      var draft = try publisher.begin()
      try draft.write(.png, Fixtures.png())
      #expect(try draft.describe(Fixtures.description).erased.count == 1)
    }
    #expect(try publish().erased.count == 1)
  }

  @Test func `more erasures than a manifest may have are told by the next ones`() throws {
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    let ids = try (0..<ErasedManifest.limit + 3).map { _ in try Fixtures.publish(&publisher).id }
    for id in ids { _ = try Spool(at: path).erase(id, wait: 0) }
    let told = [try publish(), try publish(), try publish()].map { $0.erased.count }
    #expect(told == [ErasedManifest.limit, 3, 0])
  }

  @Test func `a damaged manifest is erased, but cannot be named`() throws {
    let manifest = try publish()
    try Fixtures.write("\(path)/new/\(manifest.id.text)/signature.json", [1, 2, 3])
    let erasure = try #require(try Spool(at: path).erase(manifest.id, wait: 0))
    #expect(erasure.sequence == nil)
    #expect(try traces(of: manifest.id) == "" && publish().erased.isEmpty)
  }

  @Test func `an erasure that a crash interrupted is finished by the pad's start`() throws {
    let manifest = try publish()
    // After the first step.
    rename("\(path)/new/\(manifest.id.text)", "\(path)/tmp/erased-\(manifest.id.text)")
    let next = try publish()
    #expect(next.erased.map { $0.manifest.sequence } == [1])
    #expect(try traces(of: manifest.id) == "")
  }

  @Test func `an erasure that a crash interrupted is finished by another one`() throws {
    let manifest = try publish()
    rename("\(path)/new/\(manifest.id.text)", "\(path)/tmp/erased-\(manifest.id.text)")
    #expect(try Spool(at: path).erase(manifest.id, wait: 0)?.sequence == 1)
    #expect(try publish().erased.map { $0.manifest.sequence } == [1])
  }

  @Test func `an erasure that was interrupted is known by its id, and as interrupted`() throws {
    let (whole, begun) = (try publish(), try publish())
    rename("\(path)/new/\(begun.id.text)", "\(path)/tmp/erased-\(begun.id.text)")
    let spool = try Spool(at: path)
    #expect(try spool.interruptedErasures() == [begun.id])
    #expect(try spool.erase(begun.id, wait: 0)?.isResumed == true)
    #expect(try spool.erase(whole.id, wait: 0)?.isResumed == false)
    #expect(try spool.interruptedErasures().isEmpty)
  }

  /// The order in which a folder lists its files depends on the filesystem.
  @Test(arguments: [true, false])
  func `an erasure that fails half-way still knows the number when it is repeated`(
    _ isManifestLast: Bool
  ) throws {
    let manifest = try publish()
    let item = "\(path)/new/\(manifest.id.text)"
    let bytes = try Fixtures.read(item + "/signature.json")
    if isManifestLast { unlink(item + "/signature.json") }
    // Deeper than it removes folders.
    var deep = try Folder(item).makeFolder("deep", mode: 0o770)
    for _ in 0..<200 { deep = try deep.makeFolder("d", mode: 0o770) }
    let trash = "\(path)/tmp/erased-\(manifest.id.text)"
    defer { _ = try? Programs.run(path: "/bin/rm", ["-rf", trash + "/deep"]) }
    if isManifestLast { try Fixtures.write(item + "/signature.json", bytes) }
    #expect(throws: SpoolError.self) { _ = try Spool(at: path).erase(manifest.id, wait: 0) }
    _ = try Programs.run(path: "/bin/rm", ["-rf", trash + "/deep"])
    #expect(try Spool(at: path).erase(manifest.id, wait: 0)?.sequence == 1)
    #expect(try traces(of: manifest.id) == "")
    #expect(try publish().erased.map { $0.manifest.sequence } == [1])
  }

  @Test func `an erasure that was killed between its steps leaves no records`() throws {
    for isStart in [true, false] {
      let manifest = try publish()
      let spool = try Spool(at: path)
      try spool.recordDelivery(of: manifest.id, to: "archive")
      // The records of an earlier failure.
      #expect(mkdir("\(path)/failed/records-\(manifest.id.text)", 0o770) == 0)
      rename("\(path)/new/\(manifest.id.text)", "\(path)/tmp/erased-\(manifest.id.text)")
      if isStart {
        #expect(try publish().erased.map { $0.manifest.sequence } == [manifest.sequence])
      } else {
        // As an earlier version left it.
        try spool.tmp.removeTree("erased-" + manifest.id.text)
        #expect(try spool.erase(manifest.id, wait: 0) == nil)
      }
      #expect(try traces(of: manifest.id) == "")
    }
  }

  /// The folder of records as by an earlier version, or the reserve as on a disk that was never empty enough.
  @Test(
    .enabled(if: TestMachine.canMountImages, "needs root, mount, loop devices and mkfs.ext4"),
    arguments: [".erased", ".reserve"])
  func `the first erasure succeeds on a full disk without the records' folder or the reserve`(
    _ missing: String
  ) throws {
    let disk = try Disk(ext4: "8M")
    var publisher = Publisher(at: disk.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    let spool = try Spool(at: publisher.path)
    spool.prepareRecords(of: ["archive"])
    try spool.state.removeTree(missing)
    try disk.fill(leaving: 0)
    #expect(try spool.erase(id, wait: 0)?.sequence == 1)
    let erased = spool.erasedManifests().map { $0.manifest.sequence }
    #expect(erased == [1])
  }

  @Test func `attempts that failed are told`() throws {
    let manifest = try publish()
    let spool = try Spool(at: path)
    try spool.record(
      SinkState(attempts: 2, reason: "down"), of: "web", for: manifest.id, durable: true)
    let erasure = try #require(try spool.erase(manifest.id, wait: 0))
    #expect(erasure.failedAttempts.map { "\($0.count) \($0.sink)" } == ["2 web"])
  }

  @Test func `a delivery can lock an item from the moment it is published on`() throws {
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    let path = path
    let (announced, results) = (try Mailbox<ItemID?>(), try Mailbox<Bool>())
    // A delivery that is as fast as can be.
    let delivery = try Thread(name: "delivery") {
      announced.receive { id in
        guard let id else { return false }
        let limit = MonotonicClock.now + 20_000_000_000
        while MonotonicClock.now < limit {
          do throws(SystemError) {
            _ = try DeliveryLock(on: id, spool: path)
            results.post(true)
            return true
          } catch {
            if error.errno.rawValue != EWOULDBLOCK { continue }
            results.post(false)
            return true
          }
        }
        return true
      }
    }
    for _ in 0..<100 {
      var draft = try publisher.begin()
      try draft.write(.png, Fixtures.png())
      let id = draft.id
      _ = try draft.publish(Fixtures.description) { _ in announced.post(id) }
    }
    announced.post(nil)
    delivery.join()
    #expect(results.takeAll() == [Bool](repeating: true, count: 100))
  }

  @Test func `a delivery that is under way is told`() throws {
    let manifest = try publish()
    let spool = try Spool(at: path)
    func isLockable() -> Bool {
      guard let lock = try? DeliveryLock(on: manifest.id, spool: path) else { return false }
      _ = consume lock
      return true
    }
    #expect(isLockable())
    let lock = try DeliveryLock(on: manifest.id, spool: path)
    let erasure = try spool.erase(manifest.id, wait: 1_000_000)
    _ = consume lock
    #expect(erasure?.wasInFlight == true)
    #expect(!isLockable())
  }

  @Test(arguments: [
    "", "1", "1_2", "1_\(String(repeating: "a", count: 64))_now", "x", ".new",
    "0_\(String(repeating: "a", count: 64))_2026-11-21T05:02:57.123Z",
    "1_\(String(repeating: "a", count: 64))_2026-11-21T05:02:57.123Z_1_\(String(repeating: "b", count: 64))",
  ])
  func `a foreign record is ignored`(name: String) throws {
    #expect(ErasedManifest(name: name) == nil)
  }

  @Test func `a record says as much as the member of the manifest`() throws {
    let digest = ManifestDigest(sequence: 7, sha256: String(repeating: "a", count: 64))
    let earlier = ManifestDigest(sequence: 5, sha256: String(repeating: "b", count: 64))
    let all: [PreviousManifest?] = [
      nil, .some(.none), .manifest(earlier, isInterrupted: false),
      .manifest(earlier, isInterrupted: true),
    ]
    for previous in all {
      let record = ErasedManifest(digest, time: "2026-11-21T05:02:57.123Z", previous: previous)
      #expect(ErasedManifest(name: record.name) == record)
      #expect(ErasedManifest(record.json) == record)
      #expect(record.name.utf8.count <= 255)
    }
  }
}
