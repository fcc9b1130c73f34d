import Control
import Ink
import Linux
import SpoolFixtures
import Testing
import Touch

@testable import Pad

/// A journal on a filesystem without space.
@Suite(.enabled(if: TestMachine.canMount, "needs root and mount"))
struct JournalFullDiskTests: JournalSuite {
  let folder = TemporaryFolder()

  /// Draws as many samples as fill whole pages together with what the journal has: the next record needs a page.
  private func fillPages(_ journal: inout InkJournal, in path: String) throws {
    let sample = InkJournalTests.strokes[0].samples[0]
    try journal.record([GlassContact(.down, sample)])
    for _ in 0..<4096 {
      let size = try Folder(path).status(of: InkJournal.name).size
      if size % 4096 == 0 { return }
      try journal.record([GlassContact(.move, sample)])
    }
    Issue.record("the size of the request is not a multiple of eight")
  }

  /// A request whose record has a multiple of eight bytes.
  private func roundRequest() -> PadRequest {
    var request = request
    func size() -> Int {
      var bytes: [UInt8] = []
      JournalRecord.request(request).append(to: &bytes)
      return bytes.count
    }
    request.title = "x"
    while size() % 8 != 0 { request.title? += "x" }
    return request
  }

  @Test func `a full disk does not cost the ink when the last records are added`() throws {
    let disk = try Disk(tmpfs: "256k")
    var journal = try InkJournal(in: disk.path, RecoveredState())
    try journal.record(roundRequest())
    try fillPages(&journal, in: disk.path)
    let ink = try RecoveredState(in: disk.path).strokes
    try disk.fill(leaving: 0)
    InkJournal.amend(in: disk.path, [.request(nil)])
    #expect(try RecoveredState(in: disk.path).strokes == ink && !ink.isEmpty)
    disk.clear()
    InkJournal.amend(in: disk.path, [.request(nil)])
    let left = try RecoveredState(in: disk.path)
    #expect(left.strokes == ink && left.request == nil)
  }

  @Test func `a journal that a full disk cuts short is removed from its own folder`() throws {
    let disk = try Disk(tmpfs: "256k")
    let main = try Mailbox<MainMessage>()
    var writer = JournalWriter(RecoveredState(), in: disk.path, main: main)
    writer.record(request)
    #expect(InkJournal.exists(in: disk.path))
    var large = request
    large.text = String(repeating: "x", count: 1 << 20)
    writer.record(large)
    #expect(!InkJournal.exists(in: disk.path))
    let losses = main.takeAll().filter { if case .journalLost = $0 { true } else { false } }
    #expect(losses.count == 1)
  }

  @Test func `a journal that a full disk has ended begins anew when the disk has room`() throws {
    let disk = try Disk(tmpfs: "256k")
    let main = try Mailbox<MainMessage>()
    let ring = try ContactRing(capacityLog2: 12)
    var now: Int64 = 0
    var writer = JournalWriter(RecoveredState(), in: disk.path, main: main) { now }
    try disk.fill(leaving: 0)
    writer.record(request)
    // An empty journal takes no room: it would promise what it cannot keep.
    now = JournalWriter.retryInterval
    writer.record(nil)
    writer.record(request)
    #expect(!InkJournal.exists(in: disk.path))
    disk.clear()
    now = 2 * JournalWriter.retryInterval
    writer.record(nil)
    writer.record(PadRequest(.signature, number: 8))
    for step in steps(InkJournalTests.strokes[0]) { ring.push(step) }
    writer.drain(ring)
    let left = try RecoveredState(in: disk.path)
    #expect(left.request?.number == 8 && left.strokes == [InkJournalTests.strokes[0]])
    let events = main.takeAll().compactMap { message -> Bool? in
      switch message {
      case .journalLost: false
      case .journalReturned: true
      default: nil
      }
    }
    #expect(events == [false, true])
  }

  @Test func `a disk without room for a second journal costs neither ink nor room`() throws {
    let disk = try Disk(tmpfs: "1500k")
    var journal = try InkJournal(in: disk.path, RecoveredState())
    let sample = InkJournalTests.strokes[0].samples[0]
    try journal.record([GlassContact(.down, sample)])
    let count = 45_000
    for _ in 0..<count / 100 {
      try journal.record([GlassContact](repeating: GlassContact(.move, sample), count: 100))
    }
    #expect(try RecoveredState(in: disk.path).strokes.map(\.samples.count) == [count + 1])
    #expect(try Folder(disk.path).names() == [InkJournal.name])
  }

  @Test func `Done is recorded on a full disk, if need be without what was shown`() throws {
    let disk = try Disk(tmpfs: "256k")
    var journal = try InkJournal(in: disk.path, RecoveredState())
    try journal.record(roundRequest())
    try journal.record(steps(InkJournalTests.strokes[0]))
    let size = try Folder(disk.path).status(of: InkJournal.name).size
    #expect(size % 4096 <= 4096 - 8)
    try disk.fill(leaving: 0)
    try journal.recordDone(ShownContent(title: String(repeating: "x", count: 5000)))
    let left = try RecoveredState(in: disk.path)
    #expect(left.isDone && left.shown == nil && left.strokes == [InkJournalTests.strokes[0]])
  }

  @Test func `the end of a request waits until the disk has space, and the ink stays`() throws {
    let disk = try Disk(tmpfs: "256k")
    var journal = try InkJournal(in: disk.path, RecoveredState())
    let request = roundRequest()
    try journal.record(request)
    try fillPages(&journal, in: disk.path)
    let ink = try RecoveredState(in: disk.path).strokes
    try disk.fill(leaving: 0)
    try journal.record(nil as PadRequest?)
    #expect(try RecoveredState(in: disk.path).request == request)
    disk.clear()
    try journal.record(steps(InkJournalTests.strokes[1]))
    let left = try RecoveredState(in: disk.path)
    #expect(left.request == nil && left.strokes == ink + [InkJournalTests.strokes[1]])
  }
}
