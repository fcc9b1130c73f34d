import CLinux
import Control
import Ink
import Linux
import SpoolFixtures
import SyntheticHand
import Testing
import Touch

@testable import Pad

@Suite struct JournalRecoveryTests {
  final class Log {
    var lines: [String] = []
    var asides: [String] { lines.filter { $0.hasPrefix("journal: set aside") } }
  }

  let folder = TemporaryFolder()
  let log = Log()
  static let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }

  static let shown = ShownContent(prompt: "Bitte hier unterschreiben")

  private func draw() throws {
    var journal = try InkJournal(in: folder.path, RecoveredState())
    try journal.record(Self.strokes)
    try journal.recordDone(Self.shown)
  }

  private func start() -> JournalRecovery {
    JournalRecovery(in: folder.path, log: { log.lines.append($1) }) { _ in true }
  }

  private func names() throws -> [String] { try Folder(folder.path).names().sorted() }

  @Test func `the fourth start sets aside the journal that crashed three, and logs it once`() throws
  {
    try draw()
    for _ in 0..<3 {
      let state = start().state
      #expect(state.strokes == Self.strokes && state.shown == Self.shown)
    }
    #expect(log.asides.isEmpty)
    var fourth = start()
    #expect(fourth.state.strokes.isEmpty && !fourth.state.isDone)
    #expect(log.asides.count == 1)
    #expect(try names() == ["set-aside"])
    #expect(try Folder(folder.path + "/set-aside").names().sorted() == ["journal"])
    fourth.finish()
    _ = start()
    #expect(log.asides.count == 1)
  }

  @Test func `a start that has restored all of it resets the count`() throws {
    try draw()
    for _ in 0..<4 {
      for _ in 0..<2 { _ = start() }
      var third = start()
      #expect(third.state.strokes == Self.strokes)
      third.finish()
    }
    #expect(log.asides.isEmpty)
  }

  @Test func `a crash without a journal does not count against the journal`() throws {
    _ = try InkJournal(in: folder.path, RecoveredState())
    for _ in 0..<5 { _ = start() }
    #expect(try !names().contains(JournalRecovery.counterName))
    try draw()
    #expect(start().state.strokes == Self.strokes)
    #expect(log.asides.isEmpty)
  }

  @Test func `a second journal that crashes replaces the first that was set aside`() throws {
    for _ in 0..<2 {
      try draw()
      for _ in 0..<4 { _ = start() }
    }
    #expect(log.asides.count == 2)
    #expect(try Folder(folder.path + "/set-aside").names() == ["journal"])
  }

  @Test func `a signature whose drawing crashed three times is set aside, and no other`() throws {
    var journal = try InkJournal(in: folder.path, RecoveredState())
    for id in ["01", "02"] {
      var signature = InkJournalTests.signature
      signature.id = id
      try journal.record(publishing: signature)
      try journal.record(published: id)
    }
    final class Count { var during = 0 }
    let count = Count()
    let path = folder.path
    var bad = InkJournalTests.signature
    bad.id = "01"
    let drawing = CountedDrawing(path: path) { _, _ in
      count.during = CrashCounter(in: path, "crashes-01").count
      return []
    }
    var last = JournalRecovery(in: nil, log: { _, _ in }) { _ in true }
    for starts in 1...3 {
      // Drawn in order, it counts no longer.
      #expect(drawing.file(.svg, of: bad) == [])
      #expect(count.during == starts)
      #expect(CrashCounter(in: path, "crashes-01").count == 0)
      // As if the drawing had ended each program so far.
      for _ in 0..<starts {
        var crashed = CrashCounter(in: path, "crashes-01")
        crashed.begin()
      }
      last = start()
      let ids = last.state.signed.map(\.id)
      #expect(ids == (starts < 3 ? ["01", "02"] : ["02"]))
    }
    #expect(try names().contains("crashes-01"))
    _ = try InkJournal(in: path, last.state)
    last.finish()
    #expect(try names() == ["journal", "set-aside"])
    #expect(try Folder(path + "/set-aside").names() == ["signed-01"])
    #expect(start().state.signed.map(\.id) == ["02"])
    #expect(log.lines.filter { $0.contains("signature 01 set aside in") }.count == 1)
  }

  @Test(arguments: [false, true])
  func `a journal that is unreadable or too long is set aside, not replaced`(isLong: Bool) throws {
    if isLong {
      let file = try Folder(folder.path).makeFile("journal", mode: 0o600)
      let number = file.number
      _ = try Errno.check { ftruncate(number, 600 << 20) }
    } else {
      _ = try Folder(folder.path).makeFolder("journal", mode: 0o700)
    }
    var first = start()
    #expect(first.state.strokes.isEmpty && log.asides.count == 1)
    #expect(try Folder(folder.path + "/set-aside").names() == ["journal"])
    first.finish()
    try draw()
    #expect(start().state.strokes == Self.strokes && log.asides.count == 1)
  }

  @Test func `without a runtime directory, there is nothing to restore`() {
    let recovery = JournalRecovery(in: nil) { _ in true }
    #expect(recovery.state.strokes.isEmpty)
  }
}
