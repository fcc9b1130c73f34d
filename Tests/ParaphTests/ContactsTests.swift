import JSON
import Testing

@Suite struct ContactsTests {
  static let taps = """
    N: Panel
    P: 02 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 03 00 00 00 00 00 80 60 06
    A: 2f 0 4 0 0 0
    A: 35 0 1279 0 0 0
    A: 36 0 767 0 0 0
    A: 39 0 65535 0 0 0
    A: 3a 0 255 0 0 0
    E: 0.000001 0003 0039 0013
    E: 0.000001 0003 0035 0930
    E: 0.000001 0000 0000 0000
    E: 0.008000 0003 0036 0547
    E: 0.008000 0003 002f 0001
    E: 0.008000 0003 0039 0014
    E: 0.008000 0000 0000 0000
    E: 0.016000 0003 0039 -001
    E: 0.016000 0003 002f 0000
    E: 0.016000 0003 003a 0044
    E: 0.016000 0000 0000 0000
    E: 0.024000 0003 0039 0015
    E: 0.024000 0003 0035 0001
    E: 0.024000 0000 0000 0000
    """

  private func lines(_ text: String) throws -> [String] {
    let folder = try Folder()
    let result = try Tool.run("contacts", try folder.file("recording", text))
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `every contact has its lines, and none before both axes are known`() throws {
    #expect(
      try lines(Self.taps) == [
        "0\t0\t8000000\t930\t547\t-\tdown", "0\t0\t16000000\t930\t547\t44\tmove",
        "1\t1\t16000000\t-\t-\t-\tup", "0\t0\t24000000\t930\t547\t44\tup",
        "2\t0\t24000000\t1\t547\t44\tdown",
      ])
  }

  @Test func `the same contacts come as JSON for programs`() throws {
    let folder = try Folder()
    for (text, count) in [
      (Self.taps, 5), ("N: Panel\nA: 35 0 1279 0 0 0\n", 0),
      ("2\n1.5 2 8 1 0 0 7\n3 4 16 1 0 0 9\n", 3),
    ] {
      let file = try folder.file("recording", text)
      let result = try Tool.run("contacts", "--json", file)
      #expect(result.status == 0 && result.error.isEmpty, "\(result)")
      let json = try JSONValue.parse(Array(result.output.utf8), limits: .init(size: 1 << 16))
      let lines = try lines(text).map { $0.split(separator: "\t").map(String.init) }
      #expect(json.count == count && lines.count == count)
      for (line, object) in zip(lines, json.elements ?? []) {
        let names = ["contact", "slot", "time", "x", "y", "pressure", "phase"]
        for (field, name) in zip(line, names) {
          let value = try #require(object[name])
          #expect(
            field == "-" ? value.isNull : value.text == field || value.real == Double(field),
            "\(name)")
        }
      }
    }
  }

  @Test func `every stroke of handwriting is a contact`() throws {
    #expect(
      try lines("4\n1.5 2 8 1 0 0 7\n3 4 16 1 0 0 9\n3 4 24 0 0 0 0\n5 6 32 1 0 0 1\n") == [
        "0\t0\t8000000\t1.5\t2\t7\tdown", "0\t0\t16000000\t3\t4\t9\tmove",
        "0\t0\t16000000\t3\t4\t9\tup", "1\t0\t32000000\t5\t6\t1\tdown",
        "1\t0\t32000000\t5\t6\t1\tup",
      ])
  }

  @Test func `a description without events has no contacts`() throws {
    #expect(try lines("N: Panel\nA: 35 0 1279 0 0 0\n") == [])
  }

  @Test func `mistakes give one line and their exit code`() throws {
    let folder = try Folder()
    let bad = try folder.file("bad", "E: 0.1 0003 0035\nE: 0.2 0000 0000 0\n")
    let other = try folder.file("other", "hello\n")
    #expect(try Tool.run("contacts").isMistake(64))
    #expect(try Tool.run("contacts", bad, bad).isMistake(64))
    #expect(try Tool.run("contacts", "--slots", bad).isMistake(64))
    #expect(try Tool.run("contacts", bad).isMistake(65))
    #expect(try Tool.run("contacts", bad).error.contains("bad:1: "))
    #expect(try Tool.run("contacts", other).isMistake(65))
    #expect(try Tool.run("contacts", folder.path("none")).isMistake(66))
    #expect(try Tool.run("contacts", "--help").status == 0)
  }
}

@Suite struct LiveDeviceTests {
  @Test func `a file that is not an event device is neither watched nor recorded`() throws {
    let folder = try Folder()
    #expect(try Tool.run("watch", "/dev/null").isMistake(69))
    #expect(try Tool.run("watch", "/dev/input/none").isMistake(69))
    #expect(try Tool.run("record", "/dev/null", "-o", folder.path("r")).isMistake(69))
    #expect(try Tool.run("record", "/dev/null").isMistake(64))
    // Nothing was begun that cannot be finished.
    #expect(throws: (any Error).self) { try folder.bytes("r") }
  }

  @Test func `devices are listed wherever the tool runs`() throws {
    let result = try Tool.run("devices")
    #expect(result.status == 0 && result.error.isEmpty)
    #expect(result.output.contains("input"))
  }

  @Test func `devices are listed as JSON for programs`() throws {
    let result = try Tool.run("devices", "--json")
    #expect(result.status == 0 && result.error.isEmpty)
    let json = try JSONValue.parse(Array(result.output.utf8), limits: .init(size: 1 << 20))
    let lines = try Tool.run("devices").output
    for name in ["cards", "touchscreens"] {
      for device in try #require(json[name]?.elements) {
        let path = try #require((device["path"] ?? device["node"])?.text)
        #expect(lines.contains(path))
      }
    }
  }

  @Test func `devices follows the named configuration`() throws {
    let folder = try Folder()
    let good = try folder.file("good", "[touch]\ndevice = /dev/input/event999\n")
    let result = try Tool.run("devices", "-c", good)
    #expect(result.status == 0 && !result.output.contains(": draws"))
    let bad = try Tool.run("devices", "--config", try folder.file("bad", "[touch]\ndevise = a\n"))
    #expect(bad.isMistake(78) && bad.error.contains("bad:2: [touch] devise: unknown key"))
  }
}
