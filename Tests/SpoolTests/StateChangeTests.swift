import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Spool

@Suite struct StateChangeTests {
  let folder = TemporaryFolder()

  func published() throws -> (path: String, id: ItemID) {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    return (publisher.path, try Fixtures.publish(&publisher).id)
  }

  @Test func `a delivered item is in delivered until it is purged`() throws {
    let (path, id) = try published()
    let spool = try Spool(at: path)
    try spool.recordDelivery(of: id, to: "one")
    try spool.commit(.delivered(id))
    #expect(try Spool.ids(in: spool.new).isEmpty)
    _ = try Item(id, in: spool.delivered)
    try spool.purge(id)
    #expect(try spool.delivered.names().isEmpty)
    #expect(try spool.idsWithState().isEmpty)
  }

  @Test func `a delivery may be recorded again, also over what somebody put there`() throws {
    let (path, id) = try published()
    let spool = try Spool(at: path)
    for _ in 1...2 { try spool.recordDelivery(of: id, to: "one") }
    let record = "\(path)/state/.sinks/one/\(id.text)"
    #expect(Fixtures.exists(record))
    unlink(record)
    #expect(rmdir("\(path)/state/.sinks/one") == 0)
    try Fixtures.write("\(path)/state/.sinks/one", [1])
    try spool.recordDelivery(of: id, to: "one")
    #expect(Fixtures.exists(record))
    unlink(record)
    mkdir(record, 0o770)
    try spool.recordDelivery(of: id, to: "one")
    #expect(rmdir(record) != 0 && Fixtures.exists(record))
  }

  @Test func `what is no folder among the records of deliveries is passed over`() throws {
    let (path, id) = try published()
    let spool = try Spool(at: path)
    try spool.recordDelivery(of: id, to: "one")
    try Fixtures.write("\(path)/state/.sinks/file", [1])
    #expect(symlink("/etc", "\(path)/state/.sinks/link") == 0)
    #expect(try spool.states(of: id) == ["one": SinkState(.delivered)])
    #expect(try spool.idsWithState() == [id])
    try spool.commit(.delivered(id))
    try spool.purge(id)
    #expect(try spool.idsWithState().isEmpty)
  }

  @Test func `a failed item has its reason, and a retry delivers only to sinks without it`()
    throws
  {
    let (path, id) = try published()
    let spool = try Spool(at: path)
    try spool.recordDelivery(of: id, to: "one")
    try spool.record(
      SinkState(.never, attempts: 3, reason: "413"), of: "two", for: id, durable: true)
    try spool.commit(.failed(id, reason: "two: 413"))
    #expect(try spool.reason(of: id.text) == "two: 413\n")
    #expect(try Set(spool.failed.names()) == [id.text, id.text + ".reason"])
    try spool.retry(id)
    #expect(try spool.failed.names().isEmpty)
    _ = try Item(id, in: spool.new)
    #expect(try spool.states(of: id) == ["one": SinkState(.delivered)])
  }

  @Test func `an item that was taken away meanwhile is delivered, and has not failed`() throws {
    let (path, id) = try published()
    let spool = try Spool(at: path)
    try spool.drop(id.text, from: .new)
    try spool.commit(.delivered(id))
    #expect(try !spool.commit(.failed(id, reason: "two: 413")))
    for place in Spool.Place.allCases { #expect(try spool.open(place).names().isEmpty) }
  }

  @Test func `an entry of failed keeps its name and its reason`() throws {
    let (path, id) = try published()
    let spool = try Spool(at: path)
    mkdir("\(path)/failed/\(id.text)", 0o770)
    try Fixtures.write("\(path)/failed/\(id.text).reason", Array("its own\n".utf8))
    #expect(throws: SpoolError.self) { try spool.commit(.failed(id, reason: "two: 413")) }
    #expect(try spool.reason(of: id.text) == "its own\n")
    _ = try Item(id, in: spool.new)
    rmdir("\(path)/failed/\(id.text)")
    #expect(try spool.commit(.failed(id, reason: "two: 413")))
    #expect(try spool.reason(of: id.text) == "two: 413\n")
  }

  @Test func `states read back, and a damaged one counts as absent`() throws {
    let (path, id) = try published()
    let spool = try Spool(at: path)
    #expect(try spool.states(of: id).isEmpty)
    let waiting = SinkState(.pending, attempts: 5, reason: "no route \"x\"")
    try spool.record(waiting, of: "one", for: id, durable: false)
    try spool.record(SinkState(.delivered), of: "two", for: id, durable: true)
    try Fixtures.write("\(path)/state/\(id.text)/three", Array("{\"outcome\": \"deli".utf8))
    #expect(try spool.states(of: id) == ["one": waiting, "two": SinkState(.delivered)])
    #expect(try spool.idsWithState() == [id])
  }

  @Test func `records that are set aside make room, with or without their reason`() throws {
    let (path, id) = try published()
    let spool = try Spool(at: path)
    #expect(try spool.quarantineStates(of: id, reason: "none") == nil)
    #expect(try spool.failed.names().isEmpty)
    try spool.recordDelivery(of: id, to: "one")
    try spool.record(SinkState(attempts: 2), of: "two", for: id, durable: false)
    // No reason can be written: its name is taken by what cannot be removed.
    var place = "\(path)/failed/records-\(id.text).reason"
    for _ in 0..<110 {
      mkdir(place, 0o770)
      place += "/d"
    }
    #expect(try spool.quarantineStates(of: id, reason: "some") == "records-" + id.text)
    #expect(try spool.failed.contains("records-" + id.text))
    #expect(try spool.states(of: id) == ["one": SinkState(.delivered)])
  }

  @Test func `a foreign name is set aside under a safe name`() throws {
    let (path, id) = try published()
    let name: [UInt8] = Array("a\n\u{1b}[2J\"".utf8) + [0xff]
    let bytes = Array("\(path)/new/".utf8) + name + [0]
    mkdir(bytes.map { CChar(bitPattern: $0) }, 0o770)
    let spool = try Spool(at: path)
    let aside = try spool.moveForeign(name, as: id, reason: "is no item")
    #expect(aside == "foreign-" + id.text)
    #expect(Fixtures.exists("\(path)/failed/\(aside)"))
    #expect(
      try spool.reason(of: aside) == #"was named "a\x0a\x1b[2J\x22\xff": is no item"# + "\n")
    #expect(try Spool.ids(in: spool.new) == [id])
  }
}
