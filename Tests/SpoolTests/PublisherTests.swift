import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Spool

@Suite struct PublisherTests {
  @Test(arguments: TemporaryFolder.filesystems)
  func `a published signature is whole, in new, with its digests`(filesystem: String) throws {
    let folder = TemporaryFolder(on: filesystem)
    let path = folder.path + "/spool"
    var publisher = Publisher(at: path)
    #expect(try publisher.prepare() == 0)
    var draft = try publisher.begin()
    let id = draft.id
    #expect(Fixtures.exists("\(path)/tmp/\(id.text)"))
    try draft.write(.png, Fixtures.png())
    try draft.write(.svg, Array("<svg/>".utf8))
    #expect(!Fixtures.exists("\(path)/new/\(id.text)"))
    let manifest = try draft.publish(Fixtures.description)
    #expect(!Fixtures.exists("\(path)/tmp/\(id.text)"))
    #expect(manifest.sequence == 1)
    let spool = try Spool(at: path)
    let item = try Item(id, in: spool.new)
    #expect(item.manifest == manifest)
    #expect(item.manifest.reference == "parcel 17")
    #expect(item.files.map { $0.name } == ["signature.json", "signature.png", "signature.svg"])
    #expect(item.files[1].bytes == Fixtures.png())
    // printf '<svg/>' | sha256sum
    #expect(
      item.files[2].sha256 == "d4dc56669143034f31aa309635d4113d9ad76a02b1739da22c965ed2049be9e6")
  }

  @Test func `the manifest names the touchscreen and the version`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    var description = Fixtures.description
    (description.touchscreen, description.version) = ("ILITEK", "1.2")
    let id = draft.id
    _ = try draft.publish(description)
    let manifest = try Item(id, in: Spool(at: publisher.path).new).manifest
    #expect(manifest.touchscreen == "ILITEK" && manifest.version == "1.2")
  }

  @Test(arguments: ["spool/", "spool//"])
  func `a spool is made by a path that ends with slashes`(name: String) throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/" + name)
    _ = try publisher.prepare()
    _ = try Fixtures.publish(&publisher)
    #expect(Fixtures.exists(folder.path + "/spool/new"))
  }

  @Test func `words that readers would refuse are left out, and the signature is complete`() throws
  {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    for (count, isKept) in [(Manifest.shownTextLimit, true), (Manifest.shownTextLimit + 1, false)] {
      var draft = try publisher.begin()
      let id = draft.id
      try draft.write(.png, Fixtures.png())
      var description = Fixtures.description
      let words = String(repeating: "x", count: count)
      (description.title, description.prompt) = (words, words)
      _ = try draft.publish(description)
      let manifest = try Item(id, in: Spool(at: publisher.path).new).manifest
      #expect((manifest.title != nil, manifest.prompt != nil) == (isKept, isKept))
    }
  }

  @Test func `modes do not depend on the umask`() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/spool"
    // In a process of its own: the umask is one for all threads, and other tests make files meanwhile.
    let driver = try Programs.run(
      path: "/bin/sh", ["-c", "umask 077; exec \(Programs.path("spool-driver")) \(path) 1"])
    #expect(driver.end == .exit(0), "\(driver.text)")
    let id = String(driver.output.prefix { $0 != " " })
    let spool = try Spool(at: path)
    #expect(try spool.root.status().mode == 0o2770)
    for name in Spool.folderNames { #expect(try spool.root.status(of: name).mode == 0o2770) }
    #expect(try spool.new.status(of: id).mode == 0o2770)
    let item = try Folder(id, in: spool.new)
    for name in try item.names() { #expect(try item.status(of: name).mode == 0o640) }
    #expect(try spool.root.status(of: "sequence").mode == 0o640)
  }

  @Test func `an abandoned draft leaves nothing`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    do {
      var draft = try publisher.begin()
      try draft.write(.png, Fixtures.png())
    }
    let spool = try Spool(at: publisher.path)
    #expect(try spool.tmp.names().isEmpty)
    #expect(try spool.new.names().isEmpty)
  }

  @Test func `the numbering continues in the next process`() throws {
    let folder = TemporaryFolder()
    for expected in [1...3, 4...6] as [ClosedRange<Int64>] {
      var publisher = Publisher(at: folder.path + "/spool")
      _ = try publisher.prepare()
      for number in expected { #expect(try Fixtures.publish(&publisher).sequence == number) }
    }
  }

  @Test(arguments: [
    "", "17", "x\n", "99999999999999999999999999999999999999999\n", "9007199254740991\n", nil,
  ])
  func `a damaged or missing counter repeats no number`(content: String?) throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var given: Set<Int64> = []
    for round in 1...4 {
      for _ in 1...4 {
        let manifest = try Fixtures.publish(&publisher)
        #expect(given.insert(manifest.sequence).inserted && manifest.sequence == given.max())
        // Delivered, and nowhere any more.
        try Folder(publisher.path + "/new").removeTree(manifest.id.text)
      }
      #expect(try #require(given.max()) < 2000 * Int64(round))
      let file = publisher.path + "/sequence"
      if let content { try Fixtures.write(file, Array(content.utf8)) } else { unlink(file) }
    }
  }

  @Test func `a spool without a bound that lost its counter leaves a gap`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    for _ in 1...4 { _ = try Fixtures.publish(&publisher) }
    unlink(publisher.path + "/sequence")
    unlink(publisher.path + "/sequence-bound")
    #expect(try Fixtures.publish(&publisher).sequence == 1_000_005)
  }

  @Test(arguments: [1 << 53, (1 << 53) - 1, (1 << 52) + 1, 1 << 52] as [Int64])
  func `a foreign manifest does not exhaust the numbers`(sequence: Int64) throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var hostile = try Fixtures.publish(&publisher)
    hostile.sequence = sequence
    try Fixtures.write(
      "\(publisher.path)/new/\(hostile.id.text)/signature.json", hostile.bytes)
    unlink(publisher.path + "/sequence")
    unlink(publisher.path + "/sequence-bound")
    let next = try (0..<3).map { _ in try Fixtures.publish(&publisher).sequence }
    #expect(Set(next).count == 3 && !next.contains(sequence))
  }

  @Test func `the greatest plausible number of a counter without its bound is believed`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let greatest: Int64 = 1 << 52
    try Fixtures.write(publisher.path + "/sequence", Array("\(greatest)\n".utf8))
    #expect(try Fixtures.publish(&publisher).sequence == greatest + 1)
  }

  @Test func `after the last number, nothing is published`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let last: Int64 = (1 << 53) - 1
    for name in ["sequence-bound", "sequence"] {
      try Fixtures.write("\(publisher.path)/\(name)", Array("\(last - 1)\n".utf8))
    }
    #expect(try Fixtures.publish(&publisher).sequence == last)
    #expect(throws: SpoolError.self) { try Fixtures.publish(&publisher) }
    #expect(try Folder(publisher.path + "/new").names().count == 1)
  }

  @Test func `a bound at the end of the numbers keeps its meaning without the chain`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let limit: Int64 = 1 << 53
    try Fixtures.write(publisher.path + "/sequence-bound", Array("\(limit)\n".utf8))
    try Fixtures.write(publisher.path + "/sequence", Array("\(limit - 3)\n".utf8))
    #expect(try Fixtures.publish(&publisher).sequence == limit - 2)
  }

  @Test func `by default, 16 MiB must be free`() {
    let limits = SpoolLimits()
    #expect(limits.minimumFree == 16_777_216)
    #expect(limits.maximumItems == nil && limits.maximumBytes == nil)
  }

  @Test func `reserved space is released once`() throws {
    let folder = TemporaryFolder()
    let publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let spool = try Spool(at: publisher.path)
    spool.prepareRecords(of: ["sink"])
    let releases = (try spool.releaseSpace(), try spool.releaseSpace())
    #expect(releases == (true, false))
  }

  @Test func `each limit of the spool holds by itself`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let ids = try (1...2).map { _ in try Fixtures.publish(&publisher).id }
    try publisher.checkCapacity(SpoolLimits(minimumFree: 0))
    try publisher.checkCapacity(SpoolLimits(minimumFree: 0, maximumItems: 3))
    try publisher.checkCapacity(SpoolLimits(minimumFree: 0, maximumBytes: 1 << 20))
    #expect(throws: SpoolError.self) {
      try publisher.checkCapacity(SpoolLimits(minimumFree: 0, maximumItems: 2))
    }
    #expect(throws: SpoolError.self) {
      try publisher.checkCapacity(SpoolLimits(minimumFree: 0, maximumBytes: 100))
    }
    let spool = try Spool(at: publisher.path)
    let size = ids.reduce(Int64(0)) { $0 + Spool.size(of: $1, in: spool.new) }
    try publisher.checkCapacity(SpoolLimits(minimumFree: 0, maximumBytes: size + 1))
    #expect(throws: SpoolError.self) {
      try publisher.checkCapacity(SpoolLimits(minimumFree: 0, maximumBytes: size))
    }
  }

  @Test func `a spool is made where its path ends with slashes`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool//")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    #expect(Fixtures.exists("\(folder.path)/spool/new/\(id.text)/signature.json"))
  }

  @Test func `a sparse file as large as the largest number exceeds each limit`() throws {
    // On a tmpfs; other filesystems have smaller files.
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let ids = try (1...2).map { _ in try Fixtures.publish(&publisher).id }
    for id in ids {
      let picture = "\(publisher.path)/new/\(id.text)/signature.png"
      try #require(truncate(picture, off_t.max) == 0)
    }
    #expect(throws: SpoolError.self) {
      try publisher.checkCapacity(SpoolLimits(minimumFree: 0, maximumBytes: .max))
    }
    let spool = try Spool(at: publisher.path)
    #expect(Spool.size(of: ids[0], in: spool.new) == .max)
  }

  @Test func `two publishers at once share no number`() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/spool"
    _ = try Publisher(at: path).prepare()
    let results = try Mailbox<[Int64]>()
    for _ in 0..<2 {
      try Thread(name: "publisher") {
        var publisher = Publisher(at: path)
        results.post((0..<50).compactMap { _ in try? Fixtures.publish(&publisher).sequence })
      }.detach()
    }
    var all: [Int64] = []
    var poll = Poll()
    poll.add(results.number)
    while all.count < 100 {
      try poll.wait(milliseconds: 20_000)
      let taken = results.takeAll().flatMap { $0 }
      if taken.isEmpty { break }
      all += taken
    }
    #expect(all.sorted() == Array(1...100))
  }

  @Test func `left-overs are removed at the start, and drafts of running writers stay`() throws {
    let folder = TemporaryFolder()
    var living = Publisher(at: folder.path + "/spool")
    _ = try living.prepare()
    let draft = try living.begin()
    let tmp = living.path + "/tmp"
    mkdir(tmp + "/0192f0c1-2d3e-7a4b-8c5d-6e7f80910203", 0o770)
    try Fixtures.write(tmp + "/0192f0c1-2d3e-7a4b-8c5d-6e7f80910203/signature.png", [1])
    try Fixtures.write(tmp + "/file", [1])
    symlink("/etc", tmp + "/link")
    #expect(try Publisher(at: living.path).prepare() == 3)
    #expect(try Spool(at: living.path).tmp.names() == [draft.id.text])
    #expect(Fixtures.exists("/etc/passwd"))
  }

  @Test func `a counter's temporary file of a crash is removed, but not while it is written`()
    throws
  {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    _ = try Fixtures.publish(&publisher)
    let temporary = publisher.path + "/tmp/" + Spool.sequenceName
    try Fixtures.write(temporary, [1])
    do {
      let writer = try Spool(at: publisher.path).openRootAgain()
      try writer.lockCounter(publisher.path)
      #expect(try Spool(at: publisher.path).removeAbandonedDrafts() == 0)
      #expect(Fixtures.exists(temporary))
    }
    #expect(try publisher.prepare() == 0)
    #expect(!Fixtures.exists(temporary))
    #expect(try Fixtures.publish(&publisher).sequence == 2)
  }

  @Test func `a left-over that cannot be removed is reported, and blocks nothing`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let tmp = publisher.path + "/tmp"
    var deep = try Folder(tmp).makeFolder("deep", mode: 0o770)
    for _ in 0..<3000 { deep = try deep.makeFolder("d", mode: 0o770) }
    defer { _ = try? Programs.run(path: "/bin/rm", ["-rf", tmp + "/deep"]) }
    mkdir(tmp + "/0192f0c1-2d3e-7a4b-8c5d-6e7f80910203", 0o770)
    var lines: [String] = []
    #expect(try publisher.prepare { lines.append($0) } == 1)
    #expect(
      lines.count == 1
        && lines.first?.hasPrefix("spool: \(tmp): cannot remove an abandoned draft") == true)
    #expect(try Spool(at: publisher.path).tmp.names() == ["deep"])
    #expect(try Fixtures.publish(&publisher).sequence == 1)
  }

  @Test func `the writer is notified before a draft that could not be moved is removed`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let path = publisher.path
    var draft = try publisher.begin()
    let id = draft.id.text
    try draft.write(.png, Fixtures.png())
    var told: [Bool] = []
    var failure: SpoolError?
    do throws(SpoolError) {
      _ = try draft.publish(Fixtures.description) { manifest in
        told.append(manifest != nil)
        // Somebody else has the name.
        if manifest != nil { mkdir(path + "/new/" + id, 0o770) }
        #expect(Spool.hasDraft(id, at: path))
      }
    } catch { failure = error }
    #expect(failure != nil)
    #expect(told == [true, false])
    #expect(!Spool.hasDraft(id, at: path))
    // Whether its move into `new` is on the disk is unknown.
    rename(path + "/new", path + "/elsewhere")
    #expect(Spool.hasDraft(id, at: path))
  }

  @Test func `a trial of writing leaves nothing, and fails as a signature would`() throws {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    try publisher.checkWriting(size: 100_000)
    let spool = try Spool(at: publisher.path)
    #expect(try spool.tmp.names().isEmpty && spool.new.names().isEmpty)
    rmdir(publisher.path + "/tmp")
    try Fixtures.write(publisher.path + "/tmp", [])
    #expect(throws: SpoolError.self) { try publisher.checkWriting(size: 100_000) }
  }

  @Test func `a spool that is missing, or not a folder, is named`() throws {
    let folder = TemporaryFolder()
    let missing = Publisher(at: folder.path + "/none")
    #expect(throws: SpoolError.system(SystemError("open", missing.path, Errno(ENOENT)))) {
      try missing.checkCapacity(SpoolLimits())
    }
    let spool = Publisher(at: folder.path + "/spool")
    _ = try spool.prepare()
    rmdir(spool.path + "/new")
    try spool.checkCapacity(SpoolLimits())
    #expect(Fixtures.exists(spool.path + "/new"))
    rmdir(spool.path + "/new")
    try Fixtures.write(spool.path + "/new", [])
    #expect(
      throws: SpoolError.invalid(path: spool.path + "/new", reason: "is not a folder")
    ) { try spool.checkCapacity(SpoolLimits()) }
    unlink(spool.path + "/new")
    symlink("/tmp", spool.path + "/new")
    #expect(
      throws: SpoolError.invalid(path: spool.path + "/new", reason: "is not a folder")
    ) { try spool.checkCapacity(SpoolLimits()) }
  }

  @Test func `a spool that everybody can write is refused`() throws {
    let folder = TemporaryFolder()
    let publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    chmod(publisher.path + "/new", 0o2777)
    let error = #expect(throws: SpoolError.self) { try publisher.checkCapacity(SpoolLimits()) }
    #expect(
      error?.text == "spool: \(publisher.path)/new is writable by everybody; run chmod o-w on it")
  }

  @Test func `the limits of space, items and bytes refuse a signature, until there is room`() throws
  {
    let folder = TemporaryFolder()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    #expect(throws: SpoolError.self) {
      try publisher.checkCapacity(SpoolLimits(minimumFree: .max))
    }
    let limits = SpoolLimits(minimumFree: 0, maximumItems: 2, maximumBytes: 1 << 20)
    try publisher.checkCapacity(limits)
    let first = try Fixtures.publish(&publisher)
    _ = try Fixtures.publish(&publisher)
    let error = #expect(throws: SpoolError.self) { try publisher.checkCapacity(limits) }
    #expect(
      error?.text == "spool: \(publisher.path) holds 2 signatures; maximum-items is 2; "
        + "check that handoff runs")
    let bytes = #expect(throws: SpoolError.self) {
      try publisher.checkCapacity(SpoolLimits(minimumFree: 0, maximumBytes: 700))
    }
    #expect(bytes?.isSameProblem(as: error) == false && bytes?.isSameProblem(as: nil) == false)
    #expect(
      error?.isSameProblem(as: .capacity(path: publisher.path, .items(7, maximum: 2))) == true)
    #expect(error?.isSameProblem(as: .capacity(path: "/", .items(2, maximum: 2))) == false)
    try Spool(at: publisher.path).commit(.delivered(first.id))
    try publisher.checkCapacity(limits)
  }

  @Test func `a cleaner beside a writer takes nothing from it`() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/spool"
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    let isDone = folder.path + "/done"
    let cleaner = try Thread(name: "cleaner") {
      while !Fixtures.exists(isDone) {
        _ = try? Spool(at: path).removeAbandonedDrafts()
        sched_yield()
      }
    }
    var failure: (any Error)?
    do {
      for _ in 0..<Soak.rounds(100, full: 20_000) { _ = try Fixtures.publish(&publisher) }
    } catch { failure = error }
    mkdir(isDone, 0o700)
    cleaner.join()
    #expect(failure == nil)
  }
}
