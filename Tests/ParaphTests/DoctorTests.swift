import Foundation
import JSON
import Spool
import SpoolFixtures
import Testing

/// `paraph doctor` on a machine that may have no panel: what it says of files. Panels, touchscreens, users and
/// services are looked at in the appliance's tests, where they are.
@Suite struct DoctorTests {
  let folder: Folder
  let spool: String

  init() throws {
    folder = try Folder()
    spool = folder.path("spool")
    try FileManager.default.createDirectory(
      atPath: spool, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o770])
  }

  private func diagnose(_ pad: String = "", _ handoff: String? = nil) throws -> (Int32, [JSONValue])
  {
    let sink = "[sink far]\ntype = http\nurl = http://192.0.2.1/\n"
    let pad = try folder.file("pad.conf", "[spool]\npath = \(spool)\n" + pad)
    let carrier = try folder.file(
      "handoff.conf", handoff ?? "[spool]\npath = \(spool)\n" + sink)
    let result = try Tool.run("doctor", "--json", "-c", pad, "--handoff-config", carrier)
    let page = try JSONValue.parse(
      Array(result.output.utf8), limits: JSONValue.Limits(size: 1 << 20))
    return (result.status, page["findings"]?.elements ?? [])
  }

  private func texts(_ findings: [JSONValue], _ area: String, _ verdict: String) -> [String] {
    findings.filter { $0["area"]?.text == area && $0["verdict"]?.text == verdict }
      .compactMap { $0["text"]?.text }
  }

  @Test func `an invalid configuration is reported with file and line, and exit code 78`()
    throws
  {
    let (status, findings) = try diagnose("[touch]\ncontacts = none\n")
    #expect(status == 78)
    let wrong = texts(findings, "configuration", "wrong")
    #expect(wrong.count == 1)
    #expect(wrong.first?.contains("pad.conf:4: [touch] contacts:") == true, "\(wrong)")
  }

  @Test func `an invalid theme is wrong, and words with too little contrast are a note`()
    throws
  {
    let (status, findings) = try diagnose(
      "[display]\ncard = memory\nsize = 71x53\n[theme]\nlogo = /nowhere/logo.png\nbutton-height = 40\n"
        + "words = #999999\n")
    #expect(status == 78)
    let wrong = texts(findings, "configuration", "wrong")
    #expect(wrong.count == 2)
    #expect(
      wrong.first?.hasPrefix(
        "\(folder.path("pad.conf")):7: [theme] logo: /nowhere/logo.png: cannot") == true)
    #expect(
      wrong.last?.hasPrefix(
        "\(folder.path("pad.conf")):8: [theme] button-height: on a glass of 71 × 53") == true)
    let notes = texts(findings, "configuration", "note")
    #expect(
      notes.contains {
        $0.hasPrefix("\(folder.path("pad.conf")):9: warning: [theme] words: #999999 on ground")
      }, "\(notes)")
  }

  @Test func `daemons with different spools are reported`() throws {
    let other = "[spool]\npath = /elsewhere\n[sink a]\ntype = directory\npath = /tmp\n"
    let (status, findings) = try diagnose("", other)
    #expect(status == 78)
    #expect(texts(findings, "configuration", "wrong").first?.contains("/elsewhere") == true)
  }

  @Test func `a missing paraph-handoff is a note`() throws {
    let pad = try folder.file("pad.conf", "[spool]\npath = \(spool)\n")
    let result = try Tool.run(
      "doctor", "-c", pad, "--handoff-config", folder.path("none"))
    #expect(result.output.contains("note   \(folder.path("none")) does not exist"))
    #expect(result.status != 78)
  }

  @Test func `a picture in memory and a recording are notes`() throws {
    let (_, findings) = try diagnose(
      "[display]\ncard = memory\n[touch]\nrecording = /nowhere/hand.evemu\n")
    #expect(texts(findings, "panel", "note").count == 1)
    #expect(texts(findings, "touchscreen", "note").count == 1)
    // The same examination as the daemon's.
    #expect(
      texts(findings, "configuration", "wrong") == [
        "\(folder.path("pad.conf")):6: [touch] recording: read /nowhere/hand.evemu: No such file or"
          + " directory"
      ])
  }

  @Test func `a warning of paraph-handoff is a note`() throws {
    let (_, findings) = try diagnose(
      "", "[spool]\npath = \(spool)\n[sink far]\ntype = directory\npath = /nowhere/outbox\n")
    let notes = texts(findings, "configuration", "note")
    #expect(
      notes == [
        "\(folder.path("handoff.conf")):5: warning: [sink far] path: /nowhere/outbox: No such file or"
          + " directory; signatures wait until this is fixed"
      ])
  }

  @Test func `too little space and a missing spool are wrong`() throws {
    let (_, tight) = try diagnose("minimum-free = 1T\n")
    #expect(texts(tight, "spool", "wrong").first?.contains("the minimum is") == true)
    try FileManager.default.removeItem(atPath: spool)
    let (gone, findings) = try diagnose()
    #expect(gone == 69)
    #expect(texts(findings, "spool", "wrong").first?.contains("No such file") == true)
  }

  @Test func `a spool at its limit of signatures or bytes is wrong`() throws {
    _ = try Spool.open(at: spool)
    let id = try publishedID()
    let (status, items) = try diagnose("maximum-items = 1\n")
    #expect(status == 69)
    #expect(texts(items, "spool", "wrong").first?.contains("maximum-items is 1") == true)
    let picture = Data(count: 100_000)
    try picture.write(to: URL(fileURLWithPath: "\(spool)/new/\(id.text)/signature.png"))
    let (_, bytes) = try diagnose("maximum-items = 2\nmaximum-bytes = 64K\n")
    #expect(texts(bytes, "spool", "wrong").first?.contains("maximum-bytes is 64K") == true)
    let (_, enough) = try diagnose("maximum-items = 2\nmaximum-bytes = 1M\n")
    #expect(texts(enough, "spool", "wrong").isEmpty)
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `what waits on a disk that has become read-only is counted`() throws {
    let disk = try Disk(tmpfs: "1M")
    try FileManager.default.removeItem(atPath: spool)
    try FileManager.default.createSymbolicLink(atPath: spool, withDestinationPath: disk.path)
    _ = try Spool.open(at: spool)
    _ = try publishedID()
    try disk.remount("ro")
    let (_, findings) = try diagnose()
    #expect(texts(findings, "spool", "wrong") == ["the filesystem is mounted read-only"])
    let facts = texts(findings, "spool", "fact")
    #expect(facts.contains("1 waiting, 0 delivered and retained, 0 failed"), "\(facts)")
    #expect(texts(findings, "delivery", "ok") == ["far: 1 waiting"])
    // Also keeps it mounted until here.
    try disk.remount("rw")
  }

  @Test func `ink that was saved before sealing was on is told`() throws {
    _ = try Spool.open(at: spool)
    _ = try publishedID()
    let certificate = folder.path("notary.pem")
    let seal = "[seal]\nrecipients = \(certificate)\n"
    func notes() throws -> [String] { texts(try diagnose(seal).1, "spool", "note") }
    #expect(try !notes().contains { $0.contains("unsealed ink") })
    var publisher = Publisher(at: spool)
    var draft = try publisher.begin()
    try draft.write(.png, [UInt8](repeating: 0, count: 100))
    try draft.write(.strokes, Array("{}".utf8))
    _ = try draft.publish(
      Draft.Description(
        device: "pad", panel: "none", width: 1, height: 1, dpi: 300, strokes: 1))
    #expect(try notes().contains { $0.hasPrefix("1 signatures have unsealed ink") })
    let (_, plain) = try diagnose()
    #expect(!texts(plain, "spool", "note").contains { $0.contains("unsealed ink") })
  }

  @Test func `recorded failures and items that were set aside are reported`() throws {
    let opened = try Spool.open(at: spool)
    let id = try publishedID()
    let (_, quiet) = try diagnose()
    #expect(texts(quiet, "delivery", "ok") == ["far: 1 waiting"])
    try opened.record(
      SinkState(.pending, attempts: 4, reason: "the server is busy (503)"), of: "far", for: id,
      durable: false)
    let (status, findings) = try diagnose()
    #expect(status == 69)
    #expect(
      texts(findings, "delivery", "wrong")
        == ["far: 1 of 1 signatures failed, 4 times: the server is busy (503)"])
    try opened.commit(.failed(id, reason: "refused for ever"))
    let (_, aside) = try diagnose()
    #expect(
      texts(aside, "delivery", "wrong")
        == ["1 signatures in failed/: refused for ever"])
  }

  @Test func `signatures that cannot be read are reported, and hide nothing else`() throws {
    let opened = try Spool.open(at: spool)
    var publisher = Publisher(at: spool)
    let ids = try (0..<3).map { _ in try Fixtures.publish(&publisher).id }
    try opened.commit(.failed(ids[0], reason: "refused for ever"))
    try opened.record(
      SinkState(.pending, attempts: 4, reason: "the server is busy (503)"), of: "far", for: ids[1],
      durable: false)
    let files = [
      try LeasedFile("\(spool)/state/\(ids[1].text)/far"),
      try LeasedFile("\(spool)/new/\(ids[2].text)/signature.json"),
    ]
    let (status, findings) = try diagnose()
    let wrong = texts(findings, "delivery", "wrong")
    #expect(status == 69 && wrong.count == 2, "\(wrong)")
    #expect(wrong.first?.hasPrefix("2 signatures cannot be read: spool: open \(spool)/") == true)
    #expect(wrong.last == "1 signatures in failed/: refused for ever")
    #expect(texts(findings, "delivery", "ok").isEmpty)
    for file in files { file.release() }
  }

  @Test
  func
    `time stamps that fail are reported with the last reason, and those that wait are not wrong`()
    throws
  {
    let opened = try Spool.open(at: spool)
    let id = try publishedID()
    try Data().write(to: URL(filePath: "\(spool)/new/\(id.text)/\(Manifest.signatureName)"))
    let certificate = try folder.file("tsa.pem", "")
    let handoff =
      "[spool]\npath = \(spool)\n[sink far]\ntype = http\nurl = http://192.0.2.1/\n"
      + "[timestamp]\nurl = http://192.0.2.1/\nca = \(certificate)\n"
    func found(_ verdict: String) throws -> [String] {
      texts(try diagnose("", handoff).1, "delivery", verdict).filter { $0.hasPrefix("time stamps") }
    }
    #expect(try found("ok") == ["time stamps: 1 waiting"])
    try opened.recordTimestampFailure(SinkState(attempts: 3, reason: "no connection"), of: id)
    #expect(try found("wrong") == ["time stamps: 1 of 1 signatures failed, 3 times: no connection"])
    #expect(try found("ok").isEmpty)
    #expect(try opened.store(timestamp: [1], of: id))
    #expect(try found("ok") == ["time stamps: none missing"] && found("wrong").isEmpty)
    // Without [timestamp], nothing is said of them.
    #expect(texts(try diagnose().1, "delivery", "ok") == ["far: 1 waiting"])
  }

  @Test func `a held sink is a note, also after failures`() throws {
    let opened = try Spool.open(at: spool)
    let id = try publishedID()
    try opened.record(
      SinkState(.pending, attempts: 4, reason: "the server is busy (503)"), of: "far", for: id,
      durable: false)
    let sinks =
      "[spool]\npath = \(spool)\n[sink far]\ntype = http\nurl = http://192.0.2.1/\nhold = yes\n"
    let (_, findings) = try diagnose("", sinks)
    #expect(texts(findings, "delivery", "note") == ["far: held; 1 waiting"])
    #expect(texts(findings, "delivery", "wrong").isEmpty)
  }

  @Test func `a rejection is reported while other sinks still wait for the item`() throws {
    let opened = try Spool.open(at: spool)
    let id = try publishedID()
    let sinks =
      "[spool]\npath = \(spool)\n"
      + ["far", "near"].map { "[sink \($0)]\ntype = http\nurl = http://192.0.2.1/\n" }.joined()
    try opened.record(
      SinkState(.never, attempts: 1, reason: "the server refuses (400)"), of: "far", for: id,
      durable: false)
    let (status, findings) = try diagnose("", sinks)
    #expect(status == 69)
    #expect(
      texts(findings, "delivery", "wrong") == [
        "far: 1 signatures rejected: the server refuses (400)"
      ])
    #expect(texts(findings, "delivery", "ok") == ["near: 1 waiting"])
  }

  @Test func `a pad whose deliveries are late can work`() throws {
    let opened = try Spool.open(at: spool)
    try opened.record(
      SinkState(.pending, attempts: 1, reason: "no connection"), of: "far", for: try publishedID(),
      durable: false)
    let pad = try folder.file(
      "pad.conf",
      "[spool]\npath = \(spool)\n[display]\ncard = memory\n[touch]\nrecording = "
        + #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        + "/Fixtures/signature.evemu\n")
    let handoff = try folder.file(
      "handoff.conf", "[spool]\npath = \(spool)\n[sink far]\ntype = http\nurl = http://192.0.2.1/\n"
    )
    let result = try Tool.run("doctor", "-c", pad, "--handoff-config", handoff)
    let wrong = result.output.split(separator: "\n").filter { $0.contains("WRONG") }
    #expect(result.status == 69)
    #expect(wrong.count == 1 && wrong.first?.contains("no connection") == true, "\(wrong)")
    #expect(
      result.error.hasPrefix("paraph: signatures are not delivered: far: 1 of 1"), "\(result.error)"
    )
  }

  /// A folder in `new`: the doctor counts it although it has no manifest.
  private func publishedID() throws -> ItemID {
    let text = "0192f0c1-2d3e-7a4b-8c5d-6e7f80910203"
    try FileManager.default.createDirectory(
      atPath: "\(spool)/new/\(text)", withIntermediateDirectories: true)
    return try #require(ItemID(text))
  }
}
