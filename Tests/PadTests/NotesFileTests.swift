import CLinux
import Linux
import ScreenFixtures
import SpoolFixtures
import Testing

@testable import Pad

@Suite struct NotesFileTests {
  let folder = TemporaryFolder()

  /// The notes after the kernel has reported a change.
  func changed(_ notes: inout NotesFile) throws -> [String] {
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
    #expect(notes.read().isEmpty)
    try Fixtures.write(path, Array("192.168.1.20\n".utf8))
    #expect(try changed(&notes) == ["192.168.1.20"])
    try Fixtures.write(path + ".new", Array("no network".utf8))
    _ = try changed(&notes)
    #expect(rename(path + ".new", path) == 0)
    #expect(try changed(&notes) == ["no network"])
    #expect(unlink(path) == 0)
    #expect(try changed(&notes).isEmpty)
  }

  @Test func `lines are filled and few, and control characters become blanks`() {
    #expect(NotesFile.lines(of: Array("a\r\n\n  \nb\u{1B}c".utf8)) == ["a ", "b c"])
    let many = String(repeating: "x\n", count: 20)
    #expect(NotesFile.lines(of: Array(many.utf8)).count == NotesFile.maximumLines)
    #expect(NotesFile.lines(of: [0xFF, 0x41]) == ["\u{FFFD}A"])
    #expect(NotesFile.lines(of: []).isEmpty)
  }

  @Test func `a file without an end, and a FIFO without a writer, stop nothing`() throws {
    var zero = try NotesFile("/dev/zero")
    #expect(zero.read() == ["/dev/zero: longer than 4096 bytes"])
    let fifo = folder.path + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    var notes = try NotesFile(fifo)
    #expect(notes.read().isEmpty)
  }

  @Test func `notes in a folder that is missing are an error`() {
    #expect(throws: SystemError("inotify_add_watch", "/nowhere", Errno(ENOENT))) {
      _ = try NotesFile("/nowhere/notes").number
    }
  }
}
