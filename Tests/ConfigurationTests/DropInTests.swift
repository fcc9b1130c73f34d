import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Configuration

/// Drop-ins: FILE.d/*.conf.
@Suite struct DropInTests {
  let folder = TemporaryFolder()
  var file: String { folder.path + "/handoff.conf" }

  init() throws {
    try write(
      "", "[handoff]\nfirst-pause = 1s\nretain = 1d\n[sink a]\ntype = directory\npath = /a\n")
    mkdir(file + ".d", 0o755)
  }

  /// Writes a drop-in; the file itself without a name.
  func write(_ name: String, _ text: String) throws {
    try Fixtures.write(name.isEmpty ? file : "\(file).d/\(name)", Array(text.utf8))
  }

  func problems() -> [String] {
    do throws(ConfigurationError) {
      _ = try HandoffConfiguration(reading: file)
      return []
    } catch { return error.lines }
  }

  @Test func `later drop-ins replace keys and add sinks`() throws {
    try write("20-b.conf", "[sink b]\ntype = directory\npath = /b\n[handoff]\nfirst-pause = 3s\n")
    try write("10-a.conf", "[handoff]\nfirst-pause = 2s\nretain =\n[sink  a]\npath = /other\n")
    try write("30-ignored.txt", "nonsense")
    try write(".hidden.conf", "nonsense")
    let read = try HandoffConfiguration(reading: file)
    #expect(read.firstPause == 3_000_000_000 && read.retain == 0)
    #expect(read.sinks.map { $0.name } == ["a", "b"])
    #expect(read.sinks[0].kind == .directory(DirectorySinkConfiguration(path: "/other")))
    #expect(read.origin.summary == "\(file) with 2 drop-ins")
    #expect(
      ConfigurationOrigin.paths(of: file) == [
        file, "\(file).d/10-a.conf", "\(file).d/20-b.conf", "\(file).d",
      ])
  }

  @Test func `without the folder, the file stands alone`() throws {
    rmdir(file + ".d")
    let read = try HandoffConfiguration(reading: file)
    #expect(read.sinks.count == 1 && read.origin.summary == file)
  }

  @Test func `each problem names its own file and line`() throws {
    try write("10-a.conf", "[handoff]\nretain = soon\n[sink c]\ntype = directory\n")
    try write("20-b.conf", "\n[sink a]\nurl = x\n[elsewhere]\n")
    try write("", "[handoff]\nfirst-pause = never\nretain = never\n[sink a]\ntype = directory\n")
    let lines = problems().map { $0.split(separator: ": ").prefix(2).joined(separator: ": ") }
    #expect(
      lines == [
        "\(file):2: [handoff] first-pause", "\(file):4: [sink a] path",
        "\(file).d/10-a.conf:2: [handoff] retain", "\(file).d/10-a.conf:3: [sink c] path",
        "\(file).d/20-b.conf:3: [sink a] url",
        "\(file).d/20-b.conf:4: [elsewhere] unknown section",
      ], "\(problems())")
    // A problem that is found after parsing, too.
    try write("10-a.conf", "[handoff]\nretain = 2d\n")
    try write("20-b.conf", "")
    try write("", "[sink a]\ntype = directory\npath = /a\n")
    let origin = try HandoffConfiguration(reading: file).origin
    #expect(origin.problem(.warning, "handoff", "retain", "").file == file + ".d/10-a.conf")
    #expect(origin.problem(.warning, "sink a", "path", "").file == file)
  }

  @Test func `a drop-in that cannot be read is an error`() throws {
    symlink("/nonexistent", file + ".d/10-gone.conf")
    #expect(problems() == ["\(file).d/10-gone.conf: cannot be read: No such file or directory"])
    unlink(file + ".d/10-gone.conf")
    mkdir(file + ".d/20-folder.conf", 0o755)
    #expect(problems() == ["\(file).d/20-folder.conf: cannot be read: Is a directory"])
    rmdir(file + ".d/20-folder.conf")
    rmdir(file + ".d")
    try Fixtures.write(file + ".d", [])
    #expect(problems() == ["\(file).d: cannot be read: Not a directory"])
  }

  @Test func `a key is a duplicate only within its file`() throws {
    try write("10-a.conf", "[handoff]\nretain = 1d\nretain = 2d\n")
    #expect(
      problems() == [
        "\(file).d/10-a.conf:3: [handoff] retain: duplicate key; the first is on line 2"
      ])
  }

  @Test(arguments: [
    ("[ink]\ncolor = #000000", "color: unknown key (did you mean 'colour'?)"),
    ("[display]\nrotate = 90", "rotate: unknown key (did you mean 'rotation'?)"),
    ("[display]\ncolour = #000000", "colour: unknown key; it belongs to [ink]"),
    ("[dispaly]\ncard = memory", "[dispaly] unknown section (did you mean 'display'?)"),
  ])
  func `a misspelt key or section gets a suggestion`(_ text: String, _ end: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try PadConfiguration(text, file: "f", models: [])
    }
    #expect(
      error?.lines.count == 1 && error?.lines.first?.hasSuffix(end) == true, "\(error?.lines ?? [])"
    )
  }
}
