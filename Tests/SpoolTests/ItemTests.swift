import CLinux
import Linux
import Nettle
import SpoolFixtures
import Testing

@testable import Spool

/// Everything in `new` is untrusted: other users of the group can write there.
@Suite struct ItemTests {
  let folder = TemporaryFolder()

  /// A good item, and what a stranger does to it.
  func flaw(after damage: (String) throws -> Void) throws -> Item.Failure? {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    let spool = try Spool(at: publisher.path)
    _ = try Item(id, in: spool.new)
    try damage("\(publisher.path)/new/\(id.text)")
    return #expect(throws: Item.Failure.self) { try Item(id, in: spool.new) }
  }

  func reason(after damage: (String) throws -> Void) throws -> String? {
    if case .invalid(let flaw) = try flaw(after: damage) { return flaw.reason }
    return nil
  }

  @Test func `a missing item is reported as gone`() throws {
    #expect(try flaw { rename($0, folder.path + "/away") } == .gone)
  }

  @Test func `a changed picture is noticed`() throws {
    #expect(
      try reason { try Fixtures.write($0 + "/signature.png", Fixtures.png(padding: 1)) }
        == "signature.png does not match its digest in the manifest")
  }

  @Test func `a truncated picture is noticed, also where the manifest fits it`() throws {
    let torn = Array(Fixtures.png().dropLast(5))
    #expect(
      try reason { try rewrite($0, torn) } == "signature.png is not a PNG")
    #expect(
      try reason { try rewrite($0, Fixtures.png(width: 41)) }
        == "signature.png does not have the size in the manifest")
  }

  /// A picture with a manifest that has its digest.
  func rewrite(_ item: String, _ picture: [UInt8]) throws {
    var manifest = try Manifest(Fixtures.read(item + "/signature.json"))
    manifest.files = [.init(file: .png, sha256: SHA256.text(of: picture))]
    try Fixtures.write(item + "/signature.png", picture)
    try Fixtures.write(item + "/signature.json", manifest.bytes)
  }

  @Test func `a missing file is named`() throws {
    #expect(try reason { unlink($0 + "/signature.png") } == "has no signature.png")
    #expect(try reason { unlink($0 + "/signature.json") } == "has no signature.json")
  }

  @Test func `a link is not followed`() throws {
    let link = { (item: String) throws in
      rename(item + "/signature.png", self.folder.path + "/elsewhere")
      symlink(self.folder.path + "/elsewhere", item + "/signature.png")
    }
    #expect(try reason(after: link) == "signature.png is not a file")
    #expect(
      try reason {
        rename($0, folder.path + "/item")
        symlink(folder.path + "/item", $0)
      } == "is not a folder")
  }

  @Test func `a FIFO does not block, and a folder is not a file`() throws {
    #expect(
      try reason {
        unlink($0 + "/signature.json")
        mkfifo($0 + "/signature.json", 0o640)
      } == "signature.json is not a file")
    #expect(
      try reason {
        unlink($0 + "/signature.png")
        mkdir($0 + "/signature.png", 0o770)
      } == "signature.png is not a file")
  }

  @Test func `a huge file is not read`() throws {
    #expect(
      try reason { truncate($0 + "/signature.png", 1 << 40) }
        == "signature.png is larger than 33554432 bytes")
    #expect(
      try reason { truncate($0 + "/signature.json", 1 << 20) }
        == "signature.json is larger than 262144 bytes")
  }

  @Test func `a file that the manifest does not name is noticed`() throws {
    #expect(
      try reason { try Fixtures.write($0 + "/virus.exe", [1]) }
        == "contains a file that its manifest does not name")
  }

  @Test func `an item under another's name is noticed`() throws {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    let other = "0192f0c1-2d3e-7a4b-8c5d-6e7f80910203"
    rename("\(publisher.path)/new/\(id.text)", "\(publisher.path)/new/\(other)")
    let spool = try Spool(at: publisher.path)
    let otherID = try #require(ItemID(other))
    #expect(
      throws: Item.Failure.invalid(ValidationError("signature.json: id is not the folder's name"))
    ) {
      try Item(otherID, in: spool.new)
    }
  }

  /// An item with these files beside the manifest.
  private func publish(_ files: [(ItemFile, [UInt8])]) throws -> Manifest {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    for (file, bytes) in files { try draft.write(file, bytes) }
    return try draft.publish(Fixtures.description)
  }

  @Test func `sealed files are read as they are, also instead of the picture`() throws {
    let manifest = try publish([(.sealedPNG, [1, 2]), (.sealedStrokes, [3])])
    let spool = try Spool(at: folder.path + "/spool")
    let item = try Item(manifest.id, in: spool.new)
    #expect(
      item.files.map { $0.name } == ["signature.json", "signature.png.cms", "strokes.json.cms"])
    #expect(
      item.files.map { $0.mediaType } == ["application/json", "application/cms", "application/cms"])
    #expect(item.picture?.bytes == [1, 2])
    #expect(Spool.size(of: manifest.id, in: spool.new) >= 3)
  }

  @Test func `a file is either plain or sealed, and one of them is the picture`() throws {
    func reason(_ files: [(ItemFile, [UInt8])]) throws -> String? {
      let manifest = try publish(files)
      let spool = try Spool(at: folder.path + "/spool")
      let failure = #expect(throws: Item.Failure.self) { try Item(manifest.id, in: spool.new) }
      if case .invalid(let flaw) = failure { return flaw.reason }
      return nil
    }
    #expect(
      try reason([(.png, Fixtures.png()), (.sealedPNG, [1])])
        == "signature.json: files names signature.png both plain and sealed")
    #expect(
      try reason([(.sealedStrokes, [1])]) == "signature.json: files does not name signature.png")
  }

  @Test func `each plain file has one sealed form, whose name ends in cms`() {
    for file in ItemFile.allCases {
      #expect(file.sealed.name == file.plain.name + ".cms")
      #expect(file.isSealed == file.name.hasSuffix(".cms"))
    }
  }

  @Test func `a signature of the manifest is delivered beside it, within its limit`() throws {
    func sign(_ signature: [UInt8]) throws -> (ItemID, String) {
      var publisher = Publisher(at: folder.path + "/spool")
      _ = try publisher.prepare()
      var draft = try publisher.begin()
      try draft.write(.png, Fixtures.png())
      _ = try draft.describe(Fixtures.description)
      try draft.sign(signature)
      return (try draft.publish().id, publisher.path)
    }
    let (id, path) = try sign([1, 2, 3])
    let spool = try Spool(at: path)
    let item = try Item(id, in: spool.new)
    #expect(
      item.files.map { $0.name } == ["signature.json", "signature.json.p7s", "signature.png"])
    #expect(item.files[1].bytes == [1, 2, 3])
    // A copy, as of a directory sink, has it too.
    let target = try Folder(folder.path).makeFolder("target", mode: 0o755)
    #expect(try item.copy(into: target) == nil)
    #expect(try Fixtures.read("\(folder.path)/target/\(id.text)/signature.json.p7s") == [1, 2, 3])
    let (large, _) = try sign([UInt8](repeating: 1, count: Manifest.signatureLimit + 1))
    let failure = #expect(throws: Item.Failure.self) { try Item(large, in: spool.new) }
    if case .invalid(let flaw) = failure {
      #expect(flaw.reason == "signature.json.p7s is larger than 65536 bytes")
    }
  }

  @Test func `an item without a manifest is not published`() throws {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    #expect(throws: SpoolError.self) { try publisher.begin().publish() }
    #expect(try Folder(publisher.path + "/tmp").names().allSatisfy { $0 == "sequence" })
  }
}
