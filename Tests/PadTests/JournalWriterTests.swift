import Control
import Ink
import Linux
import Raster
import Screen
import SpoolFixtures
import SyntheticHand
import Testing
import Touch

@testable import Pad

@Suite struct JournalWriterTests {
  @Test func `steps that were lost behind a wipe are made good by the signature`() throws {
    let folder = TemporaryFolder()
    let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }
    let ring = try ContactRing(capacityLog2: 4)
    var writer = JournalWriter(RecoveredState(), in: folder.path, main: try Mailbox())
    ring.push(GlassContact(.cancel, strokes[0].samples[0]))
    for (index, sample) in strokes[0].samples.enumerated() {
      ring.push(GlassContact(index == 0 ? .down : .move, sample))
    }
    writer.drain(ring)
    let before = RecoveredState(in: folder.path) { _ in true }
    #expect(before.strokes.count == 1 && before.strokes != [strokes[0]])
    writer.record(
      done: FinishedSignature(
        strokes: strokes, glass: Layout(width: 154, height: 86).glass, scale: Scale(x: 5, y: 5),
        done: 0))
    let after = RecoveredState(in: folder.path) { _ in true }
    #expect(after.strokes == strokes)
  }

  @Test func `what could not be saved is saved by the next start, unless its ink changes`()
    throws
  {
    let folder = TemporaryFolder()
    let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }
    let ring = try ContactRing(capacityLog2: 10)
    var writer = JournalWriter(RecoveredState(), in: folder.path, main: try Mailbox())
    func draw(_ stroke: Stroke) {
      for (index, sample) in stroke.samples.enumerated() {
        ring.push(GlassContact(index == 0 ? .down : .move, sample))
      }
    }
    draw(strokes[0])
    writer.drain(ring)
    writer.record(
      done: FinishedSignature(
        strokes: [strokes[0]], glass: Layout(width: 154, height: 86).glass,
        scale: Scale(x: 5, y: 5), done: 0))
    writer.record(publishing: nil)
    #expect(RecoveredState(in: folder.path) { _ in true }.isDone)
    draw(strokes[0])
    writer.drain(ring)
    let left = RecoveredState(in: folder.path) { _ in true }
    #expect(!left.isDone && left.strokes.count == 2)
  }

  @Test func `a journal that cannot be written is given up, and the main thread is told`() throws {
    let folder = TemporaryFolder()
    let main = try Mailbox<MainMessage>()
    func losses() -> Int {
      main.takeAll().filter { if case .journalLost = $0 { true } else { false } }.count
    }
    _ = JournalWriter(RecoveredState(), in: folder.path + "/none", main: main)
    #expect(losses() == 1)
    let path = folder.path + "/run"
    _ = try Folder(folder.path).makeFolder("run", mode: 0o700)
    var writer = JournalWriter(RecoveredState(), in: path, main: main)
    #expect(losses() == 0)
    try Folder(folder.path).removeTree("run")
    writer.record(PadRequest(.signature, number: 1))
    #expect(losses() == 1)
  }

  @Test func `a journal that is given up is removed from its own folder`() throws {
    let folder = TemporaryFolder()
    let main = try Mailbox<MainMessage>()
    var writer = JournalWriter(RecoveredState(), in: folder.path, main: main)
    writer.record(PadRequest(.signature, number: 1))
    #expect(InkJournal.exists(in: folder.path))
    // A folder in place of the temporary file makes the rewriting fail.
    let blocked = try Folder(folder.path).makeFolder("journal.new", mode: 0o700)
    _ = try blocked.makeFile("x", mode: 0o600)
    var large = PadRequest(.signature, number: 2)
    large.text = String(repeating: "x", count: 1 << 20)
    writer.record(large)
    #expect(!InkJournal.exists(in: folder.path))
  }
}
