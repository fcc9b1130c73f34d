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
  @Test func `ink that was lost before a wipe is recovered from the signature`() throws {
    let folder = TemporaryFolder()
    let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }
    let ring = try ContactRing(capacityLog2: 4)
    var writer = JournalWriter(RecoveredState(), in: folder.path, main: try Mailbox())
    ring.push(GlassContact(.cancel, strokes[0].samples[0]))
    for (index, sample) in strokes[0].samples.enumerated() {
      ring.push(GlassContact(index == 0 ? .down : .move, sample))
    }
    writer.drain(ring)
    var shown = ShownContent(prompt: "Bitte hier unterschreiben")
    let before = try RecoveredState(in: folder.path) { _ in true }
    #expect(before.strokes.count == 1 && before.strokes != [strokes[0]])
    writer.record(
      done: FinishedSignature(
        strokes: strokes, glass: Layout(width: 154, height: 86).glass, scale: Scale(x: 5, y: 5),
        shown: shown, done: 0))
    let after = try RecoveredState(in: folder.path) { _ in true }
    // A start without a panel needs to know the glass.
    shown.glass = ShownContent.Glass(size: Point(154, 86), scale: Scale(x: 5, y: 5))
    #expect(after.strokes == strokes && after.shown == shown)
  }

  @Test func `ink is never in the journal without the request that it answers`() throws {
    let folder = TemporaryFolder()
    let ring = try ContactRing(capacityLog2: 4)
    var writer = JournalWriter(RecoveredState(), in: folder.path, main: try Mailbox())
    ring.push(GlassContact(.down, Sample(time: 1, position: Point(30, 40))))
    writer.drain(ring, answering: PadRequest(.signature, number: 7))
    // Each write may be the last one.
    let journal = try RecoveredState.content(in: folder.path)
    for end in 0...journal.count {
      let state = RecoveredState(Array(journal.prefix(end)))
      #expect(state.strokes.isEmpty || state.request?.number == 7)
    }
    #expect(RecoveredState(journal).strokes.count == 1)
  }

  @Test func `ink of another person is told apart, and a stroke that is taken back is not`() throws
  {
    let ring = try ContactRing(capacityLog2: 6)
    var writer = JournalWriter(RecoveredState(), in: nil, main: try Mailbox())
    let sample = Sample(time: 0, position: .zero)
    func drain(_ phases: GlassContact.Phase...) -> JournalWriter.Drawing {
      for phase in phases { ring.push(GlassContact(phase, sample)) }
      writer.drain(ring)
      return writer.drawing
    }
    #expect(drain(.down, .move) == .init(number: 0, strokes: 1))
    #expect(drain(.up, .down, .up) == .init(number: 0, strokes: 2))
    ring.push(GlassContact(.cancel, sample, isMistake: true))
    #expect(drain() == .init(number: 0, strokes: 1))
    // *Clear*, and the next stroke before it is noticed.
    #expect(drain(.cancel, .down) == .init(number: 1, strokes: 1))
    writer.record(published: "0190", [])
    let published = writer.drawing
    #expect(published == .init(number: 2, strokes: 0))
  }

  /// The ink of messages to clients.
  private func sent(_ main: borrowing Mailbox<MainMessage>) -> [ControlEvent.InkStep] {
    main.takeAll().flatMap { message -> [ControlEvent.InkStep] in
      if case .ink(let steps) = message { steps } else { [] }
    }
  }

  @Test func `a client that begins to watch in the middle of a signature has all ink`() throws {
    let folder = TemporaryFolder()
    let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }
    let ring = try ContactRing(capacityLog2: 10)
    let main = try Mailbox<MainMessage>()
    var writer = JournalWriter(RecoveredState(), in: folder.path, main: main)
    let first = strokes[0].samples
    for (index, sample) in first.enumerated() {
      ring.push(GlassContact(index == 0 ? .down : .move, sample, isAfterGap: index == 3))
    }
    writer.drain(ring)
    #expect(sent(main).isEmpty)
    let isWatchedBefore = writer.isStrokeWatched
    writer.watch(true)
    let steps = sent(main)
    #expect(steps.count == first.count + 1 && steps[0] == .wiped && steps[1] == .begins(first[0]))
    #expect(steps[4] == .goesOnAfterGap(first[3]) && steps.last == .goesOn(first[first.count - 1]))
    // The stroke goes on: it is fetched without waiting for a batch.
    let isWatched = writer.isStrokeWatched
    #expect(!isWatchedBefore && isWatched)
    ring.push(GlassContact(.up, first[0]))
    ring.push(GlassContact(.cancel, first[0], isMistake: true))
    writer.drain(ring)
    #expect(sent(main) == [.ends, .undone])
    let isStill = writer.isStrokeWatched
    #expect(!isStill)
    writer.watch(true)
    #expect(sent(main).last == .undone)
    ring.push(GlassContact(.cancel, first[0]))
    writer.drain(ring)
    _ = sent(main)
    writer.watch(true)
    #expect(sent(main) == [.wiped])
    writer.watch(false)
    #expect(sent(main).isEmpty)
  }

  @Test func `a client that begins to watch while the saved signature is shown has its ink`() throws
  {
    let folder = TemporaryFolder()
    let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }
    let ring = try ContactRing(capacityLog2: 10)
    let main = try Mailbox<MainMessage>()
    var writer = JournalWriter(RecoveredState(), in: folder.path, main: main)
    writer.record(
      done: FinishedSignature(
        strokes: strokes, glass: Layout(width: 154, height: 86).glass, scale: Scale(x: 5, y: 5),
        done: 0))
    writer.record(publishing: InkJournalTests.signature)
    writer.record(published: InkJournalTests.signature.id, strokes)
    writer.watch(true)
    let shown = sent(main)
    #expect(shown.first == .wiped && shown.last == .ends)
    #expect(shown.count == 1 + strokes.reduce(0) { $0 + $1.samples.count + 1 })
    // The notice ends.
    ring.push(GlassContact(.cancel, strokes[0].samples[0]))
    writer.drain(ring)
    #expect(sent(main) == [.wiped])
    writer.watch(true)
    #expect(sent(main) == [.wiped])
  }

  @Test func `ink that was lost is sent again with Done`() throws {
    let folder = TemporaryFolder()
    let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }
    let ring = try ContactRing(capacityLog2: 4)
    let main = try Mailbox<MainMessage>()
    var writer = JournalWriter(RecoveredState(), in: folder.path, main: main)
    writer.watch(true)
    for (index, sample) in strokes[0].samples.enumerated() {
      ring.push(GlassContact(index == 0 ? .down : .move, sample))
    }
    writer.drain(ring)
    // The end of the stroke may be lost, too: nobody waits for it.
    let isStrokeWatched = writer.isStrokeWatched
    #expect(!isStrokeWatched)
    _ = sent(main)
    writer.record(
      done: FinishedSignature(
        strokes: [strokes[0]], glass: Layout(width: 154, height: 86).glass,
        scale: Scale(x: 5, y: 5), done: 0))
    let steps = sent(main)
    #expect(steps.first == .wiped && steps.last == .ends)
    #expect(steps.count == strokes[0].samples.count + 2)
  }

  @Test func `without a journal the ink of before a client watched is sent with Done`() throws {
    let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }
    let ring = try ContactRing(capacityLog2: 10)
    let main = try Mailbox<MainMessage>()
    var writer = JournalWriter(RecoveredState(), in: nil, main: main)
    for (index, sample) in strokes[0].samples.enumerated() {
      ring.push(GlassContact(index == 0 ? .down : .move, sample))
    }
    writer.drain(ring)
    writer.watch(true)
    #expect(sent(main) == [.wiped])
    writer.record(
      done: FinishedSignature(
        strokes: [strokes[0]], glass: Layout(width: 154, height: 86).glass,
        scale: Scale(x: 5, y: 5), done: 0))
    #expect(sent(main).count == strokes[0].samples.count + 2)
  }

  @Test func `the next start saves a signature that could not be saved, unless its ink changes`()
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
    writer.record(publishing: InkJournalTests.signature)
    writer.record(publishing: nil)
    let unsaved = try RecoveredState(in: folder.path) { _ in false }
    #expect(unsaved.isDone && unsaved.signed.isEmpty)
    draw(strokes[0])
    writer.drain(ring)
    let left = try RecoveredState(in: folder.path) { _ in true }
    #expect(!left.isDone && left.strokes.count == 2)
  }

  @Test func `a journal that cannot be written is abandoned, and the main thread is notified`()
    throws
  {
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

  /// A writer whose journal was removed while the pad was at rest; one signature has not been read.
  private func writerWithoutJournal(
    in path: String, main: Mailbox<MainMessage>, clock: @escaping () -> Int64
  ) -> JournalWriter {
    var writer = JournalWriter(RecoveredState(), in: path, main: main, clock: clock)
    writer.record(publishing: InkJournalTests.signature)
    writer.record(published: InkJournalTests.signature.id, [])
    InkJournal.forget(in: path)
    writer.record(PadRequest(.signature, number: 1))
    return writer
  }

  @Test func `a journal begins anew with the next empty glass, and has all but the ink of before`()
    throws
  {
    let folder = TemporaryFolder()
    let main = try Mailbox<MainMessage>()
    let ring = try ContactRing(capacityLog2: 4)
    var now: Int64 = 0
    var writer = writerWithoutJournal(in: folder.path, main: main) { now }
    func draw(_ phases: GlassContact.Phase...) {
      for phase in phases {
        ring.push(GlassContact(phase, Sample(time: 1, position: Point(30, 40))))
      }
      writer.drain(ring)
    }
    // Too early.
    writer.record(PadRequest(.signature, number: 2))
    draw(.down)
    now = JournalWriter.retryInterval
    draw(.move, .up)
    writer.record(PadRequest(.signature, number: 3))
    writer.retry()
    #expect(!InkJournal.exists(in: folder.path))
    draw(.down, .cancel, .down, .up, .down)
    let left = try RecoveredState(in: folder.path)
    #expect(left.strokes.count == 2 && left.request?.number == 3)
    #expect(left.signed == [InkJournalTests.signature])
    draw(.move)
    writer.forget(signed: InkJournalTests.signature.id)
    let later = try RecoveredState(in: folder.path)
    #expect(later.strokes.last?.samples.count == 2 && later.signed.isEmpty)
    let returns = main.takeAll().filter { if case .journalReturned = $0 { true } else { false } }
    #expect(returns.count == 1)
  }

  @Test func `a journal begins anew while the pad is at rest, and with a published signature`()
    throws
  {
    for isAtRest in [true, false] {
      let folder = TemporaryFolder()
      var now: Int64 = 0
      var writer = writerWithoutJournal(in: folder.path, main: try Mailbox()) { now }
      var second = InkJournalTests.signature
      second.id = "0190c8a5"
      if !isAtRest {
        writer.record(
          done: FinishedSignature(
            strokes: second.strokes, glass: Layout(width: 154, height: 86).glass,
            scale: Scale(x: 5, y: 5), done: 0))
      }
      now = JournalWriter.retryInterval
      if isAtRest {
        writer.retry()
      } else {
        writer.record(publishing: second)
        #expect(!InkJournal.exists(in: folder.path))
        writer.record(published: second.id, second.strokes)
      }
      let left = try RecoveredState(in: folder.path)
      #expect(left.signed.count == (isAtRest ? 1 : 2) && left.strokes.isEmpty)
      #expect(left.request?.number == (isAtRest ? 1 : nil))
    }
  }

  @Test(arguments: [0, 1])
  func `a journal begins anew when the last stroke was taken back, and none was lost`(
    _ restored: Int
  ) throws {
    let folder = TemporaryFolder()
    var state = RecoveredState()
    let sample = Sample(time: 1, position: Point(30, 40))
    for _ in 0..<restored { state.apply(.ink(.begins, sample)) }
    let ring = try ContactRing(capacityLog2: 4)
    var now: Int64 = 0
    var writer = JournalWriter(state, in: folder.path, main: try Mailbox()) { now }
    InkJournal.forget(in: folder.path)
    writer.record(PadRequest(.signature, number: 1))
    // More steps than the ring takes: a stroke may be among the losses.
    if restored == 0 { for _ in 0..<40 { ring.push(GlassContact(.move, sample)) } }
    writer.drain(ring)
    now = JournalWriter.retryInterval
    func hasBegun(after steps: GlassContact...) -> Bool {
      for step in steps { ring.push(step) }
      writer.drain(ring)
      writer.retry()
      return InkJournal.exists(in: folder.path)
    }
    let takenBack = GlassContact(.cancel, sample, isMistake: true)
    let begun: [Bool]
    if restored > 0 {
      begun = [
        hasBegun(after: GlassContact(.down, sample), takenBack), hasBegun(after: takenBack),
      ]
    } else {
      begun = [hasBegun(after: takenBack), hasBegun(after: GlassContact(.cancel, sample))]
    }
    #expect(begun == [false, true])
  }

  @Test func `a palm does not keep a journal closed`() throws {
    let folder = TemporaryFolder()
    let sample = Sample(time: 1, position: Point(30, 40))
    let ring = try ContactRing(capacityLog2: 4)
    var now: Int64 = 0
    var writer = writerWithoutJournal(in: folder.path, main: try Mailbox()) { now }
    ring.push(GlassContact(.down, sample))
    writer.drain(ring)
    now = JournalWriter.retryInterval
    writer.retry()
    #expect(!InkJournal.exists(in: folder.path))
    ring.push(GlassContact(.cancel, sample, isMistake: true))
    writer.drain(ring)
    writer.retry()
    #expect(InkJournal.exists(in: folder.path))
  }

  @Test func `a journal that begins anew has a request with the number of an earlier start's`()
    throws
  {
    let folder = TemporaryFolder()
    var earlier = RecoveredState()
    let records: [JournalRecord] = [
      .request(PadRequest(.signature, number: 1)), .publishing(InkJournalTests.signature),
      .published,
    ]
    for record in records { earlier.apply(record) }
    var now: Int64 = 0
    var writer = JournalWriter(earlier, in: folder.path, main: try Mailbox()) { now }
    InkJournal.forget(in: folder.path)
    writer.record(PadRequest(.signature, number: 1))
    now = JournalWriter.retryInterval
    writer.retry()
    let left = try RecoveredState(in: folder.path)
    #expect(left.request?.number == 1 && left.signed == [InkJournalTests.signature])
  }

  @Test func `a journal that cannot be rewritten stays in use`() throws {
    let folder = TemporaryFolder()
    let main = try Mailbox<MainMessage>()
    var writer = JournalWriter(RecoveredState(), in: folder.path, main: main)
    // A folder in place of the temporary file makes the rewriting fail.
    let blocked = try Folder(folder.path).makeFolder("journal.new", mode: 0o700)
    _ = try blocked.makeFile("x", mode: 0o600)
    // Each more than a mebibyte of records.
    func record(_ number: Int64) {
      var request = PadRequest(.signature, number: number)
      request.text = String(repeating: "x", count: 20_000)
      for _ in 0..<60 { writer.record(request) }
    }
    for number: Int64 in 1...3 {
      record(number)
      #expect(try RecoveredState(in: folder.path).request?.number == number)
    }
    #expect(main.takeAll().isEmpty)
    try Folder(folder.path).removeTree("journal.new")
    let size = { try Folder(folder.path).status(of: InkJournal.name).size }
    let before = try size()
    for number: Int64 in 4...9 { record(number) }
    #expect(try size() < before)
    #expect(try RecoveredState(in: folder.path).request?.number == 9)
  }
}
