import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Spool

/// Time stamps in the spool.
@Suite struct SpoolTimestampTests {
  let folder = TemporaryFolder()
  var path: String { folder.path + "/spool" }

  private func publish(signature: [UInt8]? = [1, 2, 3]) throws -> ItemID {
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    _ = try draft.describe(Fixtures.description)
    if let signature { try draft.sign(signature) }
    return try draft.publish().id
  }

  private func names(_ id: ItemID, in place: String = "new") throws -> Set<String> {
    Set(try Folder("\(path)/\(place)/\(id.text)").names())
  }

  private let plain: Set<String> = ["signature.json", "signature.json.p7s", "signature.png"]

  @Test func `a time stamp is stored beside the signature, and belongs to the item`() throws {
    let id = try publish()
    let spool = try Spool(at: path)
    #expect(try spool.timestamp(of: id) == .absent(isMissed: false))
    #expect(try spool.store(timestamp: [4, 5], of: id))
    #expect(try spool.timestamp(of: id) == .present)
    #expect(try names(id) == plain.union([Manifest.timestampName]))
    let file = try Folder("\(path)/new/\(id.text)").status(of: Manifest.timestampName)
    #expect(file.mode & 0o777 == 0o640)
    #expect(try spool.idsWithState().isEmpty)
    let item = try Item(id, in: spool.new)
    #expect(
      item.files.map { $0.name } == [
        "signature.json", "signature.json.p7s", "signature.json.p7s.tsr", "signature.png",
      ])
    #expect(item.files[2].bytes == [4, 5])
    #expect(item.files[2].mediaType == "application/timestamp-reply")
    let target = try Folder(folder.path).makeFolder("target", mode: 0o755)
    #expect(try item.copy(into: target) == nil)
    #expect(
      try Fixtures.read("\(folder.path)/target/\(id.text)/\(Manifest.timestampName)") == [4, 5])
  }

  @Test func `time stamp and mark do not count into the size of an accepted item`() throws {
    let id = try publish()
    let spool = try Spool(at: path)
    let size = Spool.size(of: id, in: spool.new)
    try spool.markMissingTimestamp(of: id, reason: "none within 1 h")
    #expect(try Item(id, in: spool.new, limit: size).files.count == 4)
    #expect(try spool.store(timestamp: [UInt8](repeating: 4, count: 6000), of: id))
    #expect(try Item(id, in: spool.new, limit: size).files.count == 4)
    #expect(throws: Item.Failure.self) { try Item(id, in: spool.new, limit: size - 1) }
  }

  @Test func `a mark is part of the item until the time stamp comes`() throws {
    let id = try publish()
    let spool = try Spool(at: path)
    try spool.markMissingTimestamp(of: id, reason: "none within 1 h")
    try spool.markMissingTimestamp(of: id, reason: "again")
    #expect(try spool.timestamp(of: id) == .absent(isMissed: true))
    let marked = try Item(id, in: spool.new)
    #expect(marked.files[2].name == "signature.json.p7s.tsr.missing")
    #expect(String(decoding: marked.files[2].bytes, as: UTF8.self) == "none within 1 h\n")
    #expect(try spool.store(timestamp: [4], of: id))
    #expect(try names(id) == plain.union([Manifest.timestampName]))
    // A crash between both.
    try Fixtures.write("\(path)/new/\(id.text)/\(Manifest.missingTimestampName)", [1])
    #expect(try spool.timestamp(of: id) == .present)
    let names = try Item(id, in: spool.new).files.map { $0.name }
    #expect(
      names.contains(Manifest.timestampName) && !names.contains(Manifest.missingTimestampName))
  }

  @Test func `a time stamp follows its item to delivered and failed, and not further`() throws {
    for change in [StateChange.delivered, { .failed($0, reason: "no") }] {
      let id = try publish()
      let spool = try Spool(at: path)
      _ = try spool.commit(change(id))
      #expect(try spool.store(timestamp: [4], of: id))
      let place = try spool.delivered.contains(id.text) ? "delivered" : "failed"
      #expect(try names(id, in: place).contains(Manifest.timestampName))
      try spool.drop(id.text, from: try #require(Spool.Place(rawValue: place)))
      #expect(try !spool.store(timestamp: [4], of: id))
      #expect(try spool.timestamp(of: id) == nil)
      try spool.markMissingTimestamp(of: id, reason: "gone")
      try spool.recordTimestampFailure(SinkState(attempts: 1, reason: "gone"), of: id)
      #expect(try spool.idsWithState().isEmpty)
    }
  }

  @Test func `failed attempts are recorded apart from those of sinks`() throws {
    let id = try publish()
    let spool = try Spool(at: path)
    #expect(try spool.timestampFailure(of: id) == nil)
    try spool.recordTimestampFailure(SinkState(attempts: 2, reason: "HTTP 503"), of: id)
    #expect(try spool.timestampFailure(of: id) == SinkState(attempts: 2, reason: "HTTP 503"))
    #expect(try spool.states(of: id).isEmpty)
    #expect(try spool.store(timestamp: [4], of: id))
    #expect(try spool.timestampFailure(of: id) == nil)
  }

  @Test func `items without a signature have nothing to be stamped`() throws {
    let id = try publish(signature: nil)
    #expect(try Spool(at: path).timestamp(of: id) == .unsigned)
  }

  @Test func `foreign objects in place of time stamp, mark and records harm only their item`()
    throws
  {
    let spool = try Spool.create(at: path)
    for name in [Manifest.timestampName, Manifest.missingTimestampName] {
      for make in [
        { mkdir($0, 0o770) }, { symlink("/etc/passwd", $0) }, { mkfifo($0, 0o660) },
      ] as [(String) -> Int32] {
        let id = try publish()
        #expect(make("\(path)/new/\(id.text)/\(name)") == 0)
        let failure = #expect(throws: Item.Failure.self) { try Item(id, in: spool.new) }
        #expect(failure == .invalid(ValidationError("\(name) is not a file")))
      }
      let id = try publish()
      let limit = name == Manifest.timestampName ? 65536 : 1024
      try Fixtures.write(
        "\(path)/new/\(id.text)/\(name)", [UInt8](repeating: 1, count: limit + 1))
      let failure = #expect(throws: Item.Failure.self) { try Item(id, in: spool.new) }
      #expect(failure == .invalid(ValidationError("\(name) is larger than \(limit) bytes")))
    }
    let id = try publish()
    symlink("/etc", "\(path)/state/\(id.text)")
    #expect(try spool.store(timestamp: [4], of: id))
    #expect(try spool.timestamp(of: id) == .present)
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `on a full disk no part of a time stamp appears, and an item is still marked`() throws {
    let disk = try Disk(tmpfs: "1m")
    var publisher = Publisher(at: disk.path + "/spool")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    _ = try draft.describe(Fixtures.description)
    try draft.sign([1])
    let id = try draft.publish().id
    let spool = try Spool(at: publisher.path)
    try disk.fill(leaving: 0)
    let response = [UInt8](repeating: 1, count: 60_000)
    let failure = #expect(throws: SpoolError.self) {
      try spool.store(timestamp: response, of: id)
    }
    #expect(failure?.text.contains("No space left on device") == true)
    #expect(try spool.timestamp(of: id) == .absent(isMissed: false))
    try spool.markMissingTimestamp(of: id, reason: "none within 1 h")
    #expect(try spool.timestamp(of: id) == .absent(isMissed: true))
    _ = try Item(id, in: spool.new)
    disk.clear()
    #expect(try spool.store(timestamp: response, of: id))
    #expect(try Item(id, in: spool.new).files[2].bytes == response)
  }
}
