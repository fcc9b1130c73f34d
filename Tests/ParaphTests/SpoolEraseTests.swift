import CLinux
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import paraph

/// `paraph spool erase`: what it finds by the beginning of an id, and what it says of copies.
@Suite struct SpoolEraseTests {
  let folder = TemporaryFolder()
  var spool: String { folder.path + "/spool" }

  private func publish() throws -> Manifest {
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    return try Fixtures.publish(&publisher)
  }

  private func erase(_ start: String) throws -> Tool.Result {
    try Tool.run("spool", "erase", start, "--spool", spool)
  }

  @Test func `an interrupted erasure is finished by the same command`() throws {
    let id = try publish().id.text
    #expect(rename("\(spool)/new/\(id)", "\(spool)/tmp/erased-\(id)") == 0)
    let result = try erase(String(id.prefix(8)))
    #expect(result.status == 0 && result.error.isEmpty, "\(result)")
    let number = "number 1: the next signature's manifest names it as erased"
    #expect(result.output.hasPrefix("\(id)\n  \(number)\n"), "\(result)")
    // Its records may be gone: silence would be taken for the absence of copies.
    #expect(result.output.contains("look for copies of any sink\n"), "\(result)")
    let traces = try Programs.run(path: "/usr/bin/find", [spool, "-name", "*\(id)*"])
    #expect(traces.end == .exit(0) && traces.output.isEmpty, "\(traces.text)")
    #expect(try publish().erased.map { $0.manifest.sequence } == [1])
    #expect(try erase(id).isMistake(66))
  }

  @Test func `an interrupted erasure does not hide another signature that begins like it`() throws {
    let (begun, other) = (try publish().id.text, try publish().id.text)
    #expect(rename("\(spool)/new/\(begun)", "\(spool)/tmp/erased-\(begun)") == 0)
    // Those of one moment begin alike.
    let common = String(zip(begun, other).prefix { $0 == $1 }.map { $0.0 })
    try #require(!common.isEmpty)
    let result = try erase(common)
    #expect(result.isMistake(64) && result.error.contains("ambiguous: 2 entries"), "\(result)")
    #expect(Fixtures.exists("\(spool)/new/\(other)"))
    #expect(try erase(other).status == 0)
    #expect(try erase(common).output.hasPrefix(begun + "\n"))
  }

  @Test func `all sinks that may have a delivered signature are named`() throws {
    let id = try publish().id
    let open = try Spool(at: spool)
    try open.recordDelivery(of: id, to: "archive")
    try open.commit(.delivered(id))
    let erasure = try #require(try open.erase(id, wait: 0))
    let copies = "was delivered: delete the copies of "
    #expect(
      SpoolErase.lines(erasure, ["cloud"]).contains(
        copies + "archive, cloud, and of any other sink that the configuration had then"))
    #expect(
      SpoolErase.lines(erasure, []).contains(
        copies + "archive, and of any other sink that the configuration had then"))
    // Of a delivery to one sink there is no record.
    let only = try publish().id
    try open.commit(.delivered(only))
    let unrecorded = try #require(try open.erase(only, wait: 0))
    #expect(
      SpoolErase.lines(unrecorded, []).contains(
        copies + "all sinks that the configuration had then"))
  }
}
