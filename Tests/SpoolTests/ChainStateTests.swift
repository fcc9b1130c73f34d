import CLinux
import Linux
import Nettle
import SpoolFixtures
import SyntheticHand
import Testing

@testable import Spool

/// What each manifest says about the one before it, whatever happened in between.
@Suite struct ChainStateTests {
  let folder = TemporaryFolder()
  var path: String { folder.path + "/spool" }

  /// The items of all folders by number, with the digests of their manifests.
  static func items(_ path: String) throws -> [(manifest: Manifest, digest: ManifestDigest)] {
    let spool = try Spool(at: path)
    var items: [(manifest: Manifest, digest: ManifestDigest)] = []
    for place in Spool.Place.allCases {
      let folder = try spool.open(place)
      for id in try Spool.ids(in: folder) {
        items.append(try Item.readManifestDigest(of: id, in: folder))
      }
    }
    return items.sorted { $0.manifest.sequence < $1.manifest.sequence }
  }

  /// Publishes an item; returns its manifest, and the digest that sha256sum(1) prints.
  @discardableResult
  private func publish() throws -> (manifest: Manifest, digest: ManifestDigest) {
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    let manifest = try Fixtures.publish(&publisher)
    let file = "\(path)/new/\(manifest.id.text)/signature.json"
    let sum = try Programs.run(path: "/usr/bin/sha256sum", [file])
    let digest = String(sum.output.prefix(64))
    return (manifest, ManifestDigest(sequence: manifest.sequence, sha256: digest))
  }

  @Test func `each manifest names the one before it by the digest of its file`() throws {
    let (first, second, third) = (try publish(), try publish(), try publish())
    #expect(first.manifest.previous == .some(.none))
    #expect(second.manifest.previous == .manifest(first.digest, isInterrupted: false))
    #expect(third.manifest.previous == .manifest(second.digest, isInterrupted: false))
  }

  @Test func `an item that has left the spool is followed`() throws {
    let first = try publish()
    try Spool(at: path).commit(.delivered(first.manifest.id))
    try Spool(at: path).purge(first.manifest.id)
    #expect(try publish().manifest.previous == .manifest(first.digest, isInterrupted: false))
  }

  @Test(arguments: 1...3)
  func `a signature that failed leaves a number that is known to be unused`(_ count: Int) throws {
    let first = try publish()
    var publisher = Publisher(at: path)
    for _ in 0..<count {
      var draft = try publisher.begin()
      try draft.write(.png, Fixtures.png())
      _ = try draft.describe(Fixtures.description)
    }
    let next = try publish().manifest
    #expect(next.sequence == Int64(2 + count))
    #expect(next.previous == .manifest(first.digest, isInterrupted: false))
  }

  @Test func `numbers continue after the chain if the counter is set back`() throws {
    _ = try publish()
    let second = try publish()
    try Fixtures.write(path + "/sequence", Array("1\n".utf8))
    let third = try publish()
    #expect(third.manifest.sequence == 3)
    #expect(third.manifest.previous == .manifest(second.digest, isInterrupted: false))
    #expect(try Self.items(path).count == 3)
  }

  @Test func `numbers continue after the chain if the counter and its bound are lost`() throws {
    let first = try publish()
    try Spool(at: path).commit(.delivered(first.manifest.id))
    try Spool(at: path).purge(first.manifest.id)
    for name in ["sequence", "sequence-bound"] { try Folder(path).remove(name) }
    let numbers = [try publish(), try publish()].map { $0.manifest.sequence }
    #expect(numbers == [1 + Spool.lostStep + 1, 1 + Spool.lostStep + 2])
    #expect(try Self.items(path).map { $0.manifest.sequence } == numbers)
  }

  @Test func `a forged chain leaves manifests readable`() throws {
    _ = try publish()
    let forged = ManifestDigest(sequence: 1 << 53, sha256: String(repeating: "0", count: 64))
    try Fixtures.write(path + "/chain", ChainState(settled: 1 << 53, last: forged).bytes)
    for number in 2...3 { #expect(try publish().manifest.sequence == Int64(number)) }
    #expect(try Self.items(path).count == 3)
  }

  @Test(arguments: [true, false])
  func `after a power cut, the link is what is still known, and an unknown number is told`(
    isThere: Bool
  ) throws {
    _ = try publish()
    let second = try publish()
    let state = try Fixtures.read(path + "/chain")
    let third = try publish()
    // The kernel had not written the last state.
    try Fixtures.write(path + "/chain", state)
    if !isThere { try Folder(path + "/new").removeTree(third.manifest.id.text) }
    let fourth = try publish()
    #expect(
      fourth.manifest.previous
        == .manifest(isThere ? third.digest : second.digest, isInterrupted: !isThere))
    #expect(
      try publish().manifest.previous == .manifest(fourth.digest, isInterrupted: false))
  }

  @Test(arguments: [true, false])
  func `after a power cut, the last manifest is found where its item was moved`(
    isDelivered: Bool
  ) throws {
    _ = try publish()
    let state = try Fixtures.read(path + "/chain")
    let second = try publish()
    let id = second.manifest.id
    try Spool(at: path).commit(isDelivered ? .delivered(id) : .failed(id, reason: "no room"))
    try Fixtures.write(path + "/chain", state)
    #expect(try publish().manifest.previous == .manifest(second.digest, isInterrupted: false))
  }

  @Test(arguments: [
    "", "\0\0\0\0", "3 3 x y\n", "9 9 \(String(repeating: "a", count: 64)) 0\n", nil,
  ])
  func `a damaged or missing state claims nothing that is not known`(content: String?) throws {
    let first = try publish()
    let second = try publish()
    func damage() throws {
      if let content { try Fixtures.write(path + "/chain", Array(content.utf8)) }
      if content == nil { unlink(path + "/chain") }
    }
    try damage()
    let third = try publish()
    #expect(third.manifest.previous == .manifest(second.digest, isInterrupted: false))
    try damage()
    for item in [second, third] { try Folder(path + "/new").removeTree(item.manifest.id.text) }
    #expect(try publish().manifest.previous == .manifest(first.digest, isInterrupted: true))
  }

  @Test func `what cannot be read stops no signature`() throws {
    let first = try publish()
    let second = try publish()
    unlink(path + "/chain")
    try Folder(path).makeFolder("chain", mode: 0o700).writeFile("x", [1])
    try Fixtures.write(path + "/state/.erased", [1])
    let damaged = "\(path)/new/\(first.manifest.id.text)/signature.json"
    unlink(damaged)
    mkdir(damaged, 0o700)
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    let third = try Fixtures.publish(&publisher)
    #expect(third.previous == .manifest(second.digest, isInterrupted: false))
    // From memory.
    let fourth = try Fixtures.publish(&publisher)
    #expect(fourth.previous?.manifest?.sequence == 3)
  }

  /// Found by random histories: the item was saved, and then invalid for every reader.
  @Test(arguments: [true, false])
  func `a pad that has lost its counters and its items goes on after the chain`(
    isRestarted: Bool
  ) throws {
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    let first = try Fixtures.publish(&publisher)
    for name in ["sequence", "sequence-bound"] { unlink(path + "/" + name) }
    _ = try Spool(at: path).erase(first.id, wait: 0)
    if isRestarted {
      publisher = Publisher(at: path)
      _ = try publisher.prepare()
    }
    let second = try Fixtures.publish(&publisher)
    let third = try Fixtures.publish(&publisher)
    #expect(second.sequence > first.sequence && third.sequence > second.sequence)
    for id in [second.id, third.id] { _ = try Item(id, in: Folder(path + "/new")) }
  }

  @Test func `a forged end of the chain makes no manifest invalid`() throws {
    let first = try publish()
    let forged = ManifestDigest(sequence: 1 << 53, sha256: String(repeating: "e", count: 64))
    try Fixtures.write(path + "/chain", ChainState(settled: 1 << 53, last: forged).bytes)
    let second = try publish()
    #expect(second.manifest.sequence == first.manifest.sequence + 1)
    #expect(second.manifest.previous == .manifest(first.digest, isInterrupted: false))
    _ = try Item(second.manifest.id, in: Folder(path + "/new"))
  }

  @Test func `the file does not change what a running pad knows`() throws {
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    _ = try Fixtures.publish(&publisher)
    let known = try #require(Self.items(path).first?.digest)
    let forged = ManifestDigest(sequence: 1, sha256: String(repeating: "e", count: 64))
    try Fixtures.write(path + "/chain", ChainState(settled: 1, last: forged).bytes)
    let second = try Fixtures.publish(&publisher)
    #expect(second.previous == .manifest(known, isInterrupted: false))
  }

  @Test func `a spool of an earlier version continues, with or without its last item`() throws {
    let first = try publish()
    // As an earlier version leaves it.
    unlink(path + "/chain")
    var old = first.manifest
    (old.previous, old.version) = (nil, nil)
    let file = "\(path)/new/\(old.id.text)/signature.json"
    try Fixtures.write(file, old.bytes)
    let digest = SHA256.text(of: try Fixtures.read(file))
    let second = try publish()
    #expect(
      second.manifest.previous
        == .manifest(ManifestDigest(sequence: 1, sha256: digest), isInterrupted: false))
    unlink(path + "/chain")
    for item in [first, second] { try Folder(path + "/new").removeTree(item.manifest.id.text) }
    let third = try publish()
    #expect(third.manifest.sequence == 3 && third.manifest.previous == .some(.none))
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `kill -9 at each system call of publishing breaks no link`() throws {
    let calls = try SystemCalls.faults(of: "spool-driver", [path, "2"], from: path)
    let chosen = Set(
      calls.filter { $0.name != "read" && $0.name != "write" }.map { "\($0.name):\($0.index)" }
    )
    .union(calls.filter { $0.name == "write" }.map { "\($0.name):\($0.index)" })
    #expect(chosen.count > 30)
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    let all = chosen.sorted()
    let places = Soak.isOn ? all : Array(all.shuffled(using: &generator).prefix(30))
    var killed = 0
    for call in places {
      let place = TemporaryFolder()
      let path = place.path + "/spool"
      let parts = call.split(separator: ":")
      let traced = try Programs.run(
        path: SystemCalls.tracer,
        [
          "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(parts[0])", "-e",
          "inject=\(parts[0]):signal=SIGKILL:when=\(parts[1])", Programs.path("spool-driver"),
          path, "2",
        ])
      if traced.end != .exit(0) { killed += 1 }
      #expect(try Programs.run("spool-driver", [path, "2"]).end == .exit(0))
      let items = try Self.items(path)
      #expect(items.first?.manifest.previous == .some(.none), "\(call)")
      for (item, before) in zip(items.dropFirst(), items) {
        #expect(
          item.manifest.previous == .manifest(before.digest, isInterrupted: false), "\(call)")
      }
    }
    #expect(killed > places.count / 2, "seed \(seed)")
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `an item that was taken back is not followed`() throws {
    let first = try publish()
    let failed = try Programs.run(
      path: SystemCalls.tracer,
      [
        "-f", "-qq", "-o", "/dev/null", "-P", path + "/new", "-e", "trace=fsync", "-e",
        "inject=fsync:error=EIO:when=1", Programs.path("spool-driver"), path, "1",
      ])
    #expect(failed.end == .exit(74), "\(failed.text)")
    let next = try publish().manifest
    #expect(next.sequence == 3)
    #expect(next.previous == .manifest(first.digest, isInterrupted: true))
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `the chain is synchronised after the acknowledgement, which does not wait for it`()
    throws
  {
    let trace = folder.path + "/trace"
    let result = try Programs.run(
      path: SystemCalls.tracer,
      [
        "-f", "-qq", "-y", "-o", trace, "-e", "trace=fsync,write", Programs.path("spool-driver"),
        path, "3",
      ])
    #expect(result.end == .exit(0), "\(result.text)")
    let calls = try Fixtures.text(trace).split(separator: "\n").compactMap { line -> String? in
      if line.contains(" write(1<") { return "acknowledgement" }
      if !line.contains(" fsync(") { return nil }
      return line.contains("/chain>") ? "chain" : "another"
    }
    // The picture, the manifest, the counter and its folder, the item's folder, and new.
    let signature = [String](repeating: "another", count: 6) + ["acknowledgement", "chain"]
    // The first signature makes files, too.
    #expect(Array(calls.suffix(16)) == signature + signature, "\(calls)")
  }
}
