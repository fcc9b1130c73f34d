import Foundation
import JSON
import SpoolFixtures
import Testing

/// `paraph spool` on a spool that the real publisher filled.
@Suite struct SpoolCommandsTests {
  let folder: Folder
  let spool: String
  let ids: [String]

  init() throws {
    folder = try Folder()
    spool = folder.path("spool")
    let driver = Process()
    driver.executableURL = try #require(Bundle.main.executableURL).deletingLastPathComponent()
      .appendingPathComponent("spool-driver")
    driver.arguments = [spool, "3"]
    let output = Pipe()
    driver.standardOutput = output
    try driver.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    driver.waitUntilExit()
    ids = text.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(ids.count == 3)
  }

  func run(_ words: String...) throws -> Tool.Result {
    try Tool.run(["spool"] + words + ["--spool", spool])
  }

  /// As handoff does it.
  func setAside(_ id: String, _ reason: String) throws {
    let manager = FileManager.default
    try manager.moveItem(atPath: "\(spool)/new/\(id)", toPath: "\(spool)/failed/\(id)")
    try Data((reason + "\n").utf8).write(
      to: URL(fileURLWithPath: "\(spool)/failed/\(id).reason"))
  }

  func names(_ place: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: "\(spool)/\(place)"))
  }

  @Test func `list prints place, order and reason`() throws {
    try setAside(ids[1], "web: HTTP 413")
    let result = try run("list")
    #expect(result.status == 0)
    let rows = result.output.split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
    #expect(rows.map { $0[0] } == ["new", "new", "failed"])
    #expect(rows.map { $0[1] } == ["1", "3", "2"])
    #expect(rows.map { $0[3] } == [ids[0], ids[2], ids[1]])
    #expect(rows.map { $0[4] } == ["-", "-", "web: HTTP 413"])
    #expect(try run("list", "failed").output.split(separator: "\n").count == 1)
    #expect(try run("list", "elsewhere").isMistake(64))
  }

  @Test func `list says what becomes of a signature that cannot be read now, and lists the others`()
    throws
  {
    let state = "\(spool)/state/\(ids[1])"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: state + "/web"))
    try Data("{".utf8).write(to: URL(fileURLWithPath: "\(spool)/new/\(ids[2])/signature.json"))
    let files = [
      try LeasedFile("\(spool)/new/\(ids[0])/signature.json"), try LeasedFile(state + "/web"),
    ]
    let result = try run("list")
    #expect(result.status == 0, "\(result)")
    var troubles: [String: String] = [:]
    for row in result.output.split(separator: "\n") {
      let fields = row.split(separator: "\t").map(String.init)
      troubles[fields[3]] = fields[4]
    }
    for id in ids.prefix(2) {
      let text = troubles[id] ?? ""
      #expect(text.hasPrefix("cannot be read (") && text.contains("open \(spool)/"), "\(text)")
      #expect(text.hasSuffix("): paraph-handoff leaves it, and tries again at each scan"))
    }
    #expect(troubles[ids[2]] == "incomplete: paraph-handoff will move it to failed")
    for file in files { file.release() }
  }

  @Test func `show prints what is known and whether the signature is whole`() throws {
    let shown = try run("show", ids[0])
    #expect(shown.status == 0)
    #expect(shown.output.contains("sequence: 1\n") && shown.output.hasSuffix("whole: yes\n"))
    try Data([1]).write(to: URL(fileURLWithPath: "\(spool)/new/\(ids[0])/signature.png"))
    #expect(
      try run("show", ids[0]).output.hasSuffix(
        "whole: no: signature.png does not match its digest in the manifest\n"))
    #expect(try run("show", "ffff").isMistake(66))
    #expect(try run("show", "0").isMistake(64))
  }

  @Test func `list and show print the same as JSON`() throws {
    try setAside(ids[1], "web: HTTP 413")
    func json(_ words: String...) throws -> JSONValue {
      let result = try Tool.run(["spool"] + words + ["--json", "--spool", spool])
      #expect(result.status == 0 && result.error.isEmpty, "\(result)")
      return try JSONValue.parse(Array(result.output.utf8), limits: .init(size: 1 << 16))
    }
    let entries = try #require(try json("list").elements)
    #expect(entries.map { $0["id"]?.text } == [ids[0], ids[2], ids[1]])
    #expect(entries.map { $0["place"]?.text } == ["new", "new", "failed"])
    #expect(entries.map { $0["sequence"]?.integer } == [1, 3, 2])
    #expect(entries.map { $0["trouble"]?.text } == [nil, nil, "web: HTTP 413"])
    #expect(try json("list", "delivered").count == 0)
    let whole = try json("show", ids[0])
    #expect(whole["whole"]?.flag == true && whole["flaw"]?.isNull == true)
    #expect(whole["sequence"]?.integer == 1 && whole["id"]?.text == ids[0])
    #expect(whole["files"]?.elements?.contains { $0["name"]?.text == "signature.png" } == true)
    let failed = try json("show", ids[1])
    #expect(failed["reasons"]?[0]?.text == "web: HTTP 413")
    try Data([1]).write(to: URL(fileURLWithPath: "\(spool)/new/\(ids[0])/signature.png"))
    let broken = try json("show", ids[0])
    #expect(broken["whole"]?.flag == false && broken["flaw"]?.text?.isEmpty == false)
  }

  @Test func `retry moves failed signatures back`() throws {
    try setAside(ids[0], "x")
    try setAside(ids[2], "x")
    #expect(try run("retry", ids[0]).output == ids[0] + "\n")
    #expect(try names("new") == [ids[0], ids[1]])
    #expect(try run("retry", "--all").output == ids[2] + "\n")
    #expect(try names("failed").isEmpty)
    #expect(try run("retry", ids[0]).isMistake(66))
    #expect(try run("retry").isMistake(64))
  }

  @Test func `drop removes permanently, and waiting signatures only with --force`() throws {
    try setAside(ids[0], "x")
    #expect(try run("drop", ids[0]).status == 0)
    #expect(try names("failed").isEmpty)
    #expect(try run("drop", ids[1]).isMistake(64))
    #expect(try names("new") == [ids[1], ids[2]])
    #expect(try run("drop", ids[1], "--force").status == 0)
    #expect(try names("new") == [ids[2]])
    #expect(try names("tmp").isEmpty)
  }

  @Test func `export copies whole signatures and nothing else`() throws {
    try setAside(ids[0], "x")
    let target = folder.path("stick")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    #expect(try run("export", "--all", "-o", target).status == 0)
    let copied = try FileManager.default.contentsOfDirectory(atPath: target)
    #expect(Set(copied) == Set(ids))
    let files = try FileManager.default.contentsOfDirectory(atPath: target + "/" + ids[0])
    #expect(Set(files) == ["signature.json", "signature.png"])
    #expect(try run("export", ids[1], "-o", target).status == 0)
    #expect(try names("new") == [ids[1], ids[2]])
    try Data([1]).write(to: URL(fileURLWithPath: "\(spool)/new/\(ids[1])/signature.png"))
    #expect(try run("export", ids[1], "-o", folder.path("")).isMistake(65))
    #expect(try run("export", ids[2], "-o", folder.path("none")).isMistake(66))
  }

  @Test func `a failed export does not stop the others, and the finished ones are printed`() throws
  {
    let target = folder.path("stick")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    for id in ids.prefix(2) {
      try Data([1]).write(to: URL(fileURLWithPath: "\(spool)/new/\(id)/signature.png"))
    }
    let all = try run("export", "--all", "-o", target)
    #expect(all.status == 65)
    #expect(all.output == ids[2] + "\n")
    let reason = "signature.png does not match its digest in the manifest\n"
    #expect(all.error == "paraph: \(ids[1]): \(reason)paraph: \(ids[0]): \(reason)")
    let named = try run("export", ids[2], ids[1], "-o", target)
    #expect(named.status == 65)
    #expect(named.output == ids[2] + "\n")
    #expect(named.error == "paraph: \(ids[1]): \(reason)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: target) == [ids[2]])
  }

  @Test(arguments: ["export", "retry"])
  func `a signature whose manifest cannot be read is told when all are asked for`(
    _ command: String
  ) throws {
    let target = folder.path("stick")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    for id in ids.prefix(2) { try setAside(id, "x") }
    let manifest = "\(spool)/failed/\(ids[0])/signature.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: manifest))
    let output = command == "export" ? ["-o", target] : []
    let result = try Tool.run(["spool", command, "--all", "--spool", spool] + output)
    #expect(result.status == 65)
    #expect(result.error.hasPrefix("paraph: \(ids[0]): "))
    #expect(result.error.split(separator: "\n").count == 1)
    #expect(result.output.contains(ids[1] + "\n") && !result.output.contains(ids[0]))
  }

  @Test func `foreign names and reasons cannot control the terminal`() throws {
    try setAside(ids[0], "x\u{1b}[2J")
    try setAside(ids[1], "x")
    let strange = "strange\u{9b}2J\r"
    try FileManager.default.moveItem(
      atPath: "\(spool)/failed/\(ids[1])", toPath: "\(spool)/failed/\(strange)")
    let state = "\(spool)/state/\(ids[2])"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    let pending = #"{"outcome":"pending","attempts":1,"reason":"x\u001b[2J"}"#
    try Data(pending.utf8).write(to: URL(fileURLWithPath: state + "/web"))
    for words in [
      ["list"], ["show", ids[0]], ["show", ids[2]], ["show", strange], ["retry", strange],
      ["drop", strange],
    ] {
      let result = try Tool.run(["spool"] + words + ["--spool", spool])
      let text = result.output + result.error
      #expect(text.unicodeScalars.contains("\u{FFFD}"), "\(words)")
      let harmful = text.unicodeScalars.filter {
        $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
      }
      #expect(harmful.isEmpty, "\(words)")
    }
    #expect(try run("list").output.split(separator: "\n").count == 2)
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `a spool on a disk that has become read-only can be read, and is not changed`() throws {
    let disk = try Disk(tmpfs: "1M")
    let spool = disk.path + "/spool"
    let driver = try Programs.run("spool-driver", [spool, "2"])
    let ids = driver.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    try #require(ids.count == 2, "\(driver.text)")
    try disk.remount("ro")
    let list = try Tool.run("spool", "list", "--spool", spool)
    #expect(list.status == 0 && list.output.split(separator: "\n").count == 2, "\(list)")
    let shown = try Tool.run("spool", "show", ids[0], "--spool", spool)
    #expect(shown.status == 0 && shown.output.hasSuffix("whole: yes\n"), "\(shown)")
    let target = folder.path("stick")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    let export = try Tool.run("spool", "export", "--all", "-o", target, "--spool", spool)
    #expect(export.status == 0, "\(export)")
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: target)) == Set(ids))
    let drop = try Tool.run("spool", "drop", ids[0], "--force", "--spool", spool)
    #expect(drop.isMistake(77) && drop.error.contains("Read-only file system"), "\(drop)")
    // Also keeps it mounted until here.
    try disk.remount("rw")
  }

  @Test func `a missing spool gives one line`() throws {
    let result = try Tool.run(["spool", "list", "--spool", folder.path("none")])
    #expect(result.isMistake(66))
    #expect(result.error.contains("No such file or directory"))
  }
}
