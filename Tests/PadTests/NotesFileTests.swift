import CLinux
import Linux
import ScreenFixtures
import SpoolFixtures
import Testing

@testable import Pad

@Suite struct NotesFileTests {
  let folder = TemporaryFolder()

  /// The result after the kernel has reported a change.
  func changed(_ notes: inout NotesFile) throws -> NotesFile.Content? {
    var poll = Poll()
    let place = poll.add(notes.number)
    _ = try poll.wait(milliseconds: 60_000)
    let isReadable = poll.isReadable(place)
    #expect(isReadable)
    return notes.read()
  }

  @Test func `notes may appear, be replaced, and vanish at any time`() throws {
    let path = folder.path + "/notes"
    var notes = try NotesFile(path)
    let first = notes.read()
    #expect(first == .lines([]))
    try Fixtures.write(path, Array("192.168.1.20\n".utf8))
    #expect(try changed(&notes) == .lines(["192.168.1.20"]))
    try Fixtures.write(path + ".new", Array("no network".utf8))
    #expect(try changed(&notes) == nil)
    #expect(rename(path + ".new", path) == 0)
    #expect(try changed(&notes) == .lines(["no network"]))
    #expect(unlink(path) == 0)
    #expect(try changed(&notes) == .lines([]))
  }

  @Test func `the same notes written again are no change`() throws {
    let path = folder.path + "/notes"
    try Fixtures.write(path, Array("a".utf8))
    var notes = try NotesFile(path)
    let first = notes.read()
    #expect(first == .lines(["a"]))
    try Fixtures.write(path, Array("a".utf8))
    #expect(try changed(&notes) == nil)
  }

  @Test(arguments: ["moved", "removed"])
  func `a folder that is moved or removed is a failure, and no old notes stay`(_ end: String) throws
  {
    let inner = folder.path + "/inner"
    #expect(mkdir(inner, 0o755) == 0)
    try Fixtures.write(inner + "/notes", Array("a".utf8))
    var notes = try NotesFile(inner + "/notes")
    _ = notes.read()
    if end == "moved" {
      #expect(rename(inner, inner + "2") == 0)
    } else {
      #expect(unlink(inner + "/notes") == 0 && rmdir(inner) == 0)
    }
    guard case .failed(let reason) = try changed(&notes) else {
      Issue.record("the old notes stay")
      return
    }
    #expect(reason.contains("the folder was moved or removed"))
  }

  @Test func `lines are filled and few, and control characters become blanks`() {
    #expect(NotesFile.lines(of: Array("a\r\n\n  \nb\u{1B}c".utf8)) == ["a ", "b c"])
    let many = String(repeating: "x\n", count: 20)
    #expect(NotesFile.lines(of: Array(many.utf8)).count == NotesFile.maximumLines)
    #expect(NotesFile.lines(of: [0xFF, 0x41]) == ["\u{FFFD}A"])
    #expect(NotesFile.lines(of: []).isEmpty)
  }

  @Test func `a file that cannot be read says why, and a FIFO without a writer is empty`() throws {
    var zero = try NotesFile("/dev/zero")
    let endless = zero.read()
    #expect(endless == .failed("/dev/zero: is larger than 4096 bytes"))
    var own = try NotesFile(folder.path)
    let directory = own.read()
    #expect(directory == .failed("\(folder.path): Is a directory"))
    let fifo = folder.path + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    var notes = try NotesFile(fifo)
    let empty = notes.read()
    #expect(empty == .lines([]))
  }

  @Test func `notes in a folder that is missing are an error`() {
    #expect(throws: SystemError("inotify_add_watch", "/nowhere", Errno(ENOENT))) {
      _ = try NotesFile("/nowhere/notes").number
    }
  }
}
