import CLinux
import Configuration
import Control
import Ink
import Linux
import Raster
import Screen
import SealClient
import Signature
import Spool
import SpoolFixtures
import SyntheticHand
import Testing
import Touch

@testable import Pad

/// Writes a journal and recovers it, as the next start does.
@Suite struct InkJournalTests: JournalSuite {
  let folder = TemporaryFolder()

  static let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }

  static let signature = SavedSignature(
    id: "0190c8a4", digest: "ab12", time: 1_795_255_200_000_000_001, reference: "Päckchen 4711",
    width: 300, height: 100, dpi: 299.72, png: [0, 10, 255, 10], glass: Point(154.2, 85.9),
    strokes: strokes)

  @Test func `an empty journal restores nothing`() {
    let left = left()
    #expect(left.strokes.isEmpty && left.request == nil && !left.isDone)
  }

  @Test func `strokes are restored sample by sample, with their gaps and the request`() throws {
    var journal = try journal()
    var strokes = Self.strokes
    strokes[1].gaps = [3]
    for stroke in strokes {
      var steps = steps(stroke)
      for gap in stroke.gaps { steps[gap].isAfterGap = true }
      try journal.record(steps)
    }
    try journal.record(request)
    let left = left()
    #expect(left.strokes == strokes)
    #expect(left.request == request)
    #expect(!left.isDone)
  }

  @Test func `undone and wiped strokes are not restored`() throws {
    var journal = try journal()
    let nowhere = Sample(time: 0, position: .zero)
    try journal.record(steps(Self.strokes[0]) + [GlassContact(.cancel, nowhere)])
    try journal.record(steps(Self.strokes[1]) + steps(Self.strokes[0]))
    try journal.record([GlassContact(.cancel, nowhere, isMistake: true)])
    #expect(left().strokes == [Self.strokes[1]])
  }

  @Test func `a stroke during which the journal is rewritten is restored whole`() throws {
    var journal = try journal()
    let samples = Self.strokes.flatMap { $0.samples }
    try journal.record([GlassContact(.down, samples[0])])
    // More than the growth after which it is rewritten, twice.
    let count = 120_000
    var steps: [GlassContact] = []
    for index in 1...count {
      steps.append(GlassContact(.move, samples[index % samples.count]))
      if steps.count == 500 {
        try journal.record(steps)
        steps = []
      }
    }
    try journal.record([GlassContact(.up, samples[0])] + self.steps(Self.strokes[1]))
    let left = left().strokes
    #expect(left.map(\.samples.count) == [count + 1, Self.strokes[1].samples.count])
    #expect(left.first?.samples.last == samples[count % samples.count])
  }

  @Test func `the next start continues the journal that it found`() throws {
    var first = try journal()
    try first.record(steps(Self.strokes[0]))
    var second = try journal(left())
    try second.record(steps(Self.strokes[1]))
    #expect(left().strokes == Array(Self.strokes.prefix(2)))
  }

  @Test func `Done is known until the signature is saved or its ink changes`() throws {
    var journal = try journal()
    try journal.record(steps(Self.strokes[0]))
    try journal.recordDone(ShownContent())
    #expect(left().isDone)
    try journal.record(publishing: Self.signature)
    try journal.record(publishing: nil)
    #expect(left().isDone)
    try journal.record(steps(Self.strokes[1]))
    #expect(!left().isDone && left().strokes == Array(Self.strokes.prefix(2)))
    try journal.recordDone(ShownContent())
    try journal.record(publishing: Self.signature)
    try journal.record(published: Self.signature.id)
    #expect(!left().isDone && left().strokes.isEmpty)
  }

  @Test func `of a publication that was cut short the spool decides, by the identity of its item`()
    throws
  {
    var journal = try journal()
    try journal.record(steps(Self.strokes[0]))
    try journal.record(request)
    try journal.recordDone(ShownContent())
    try journal.record(publishing: Self.signature)
    #expect(left(isDraft: true).isDone && left(isDraft: true).request == request)
    #expect(left(isDraft: true).signed.isEmpty)
    let published = left(isDraft: false)
    #expect(published.strokes.isEmpty && published.request == nil && !published.isDone)
    #expect(published.signed.last == Self.signature)
    _ = try self.journal(published)
    #expect(left().strokes.isEmpty && left().request == nil && !left().isDone)
    #expect(left().signed == published.signed)
  }

  @Test
  func `a signature is kept until its client has read it, over other ink and other starts`()
    throws
  {
    var journal = try journal()
    try journal.record(publishing: Self.signature)
    try journal.record(published: Self.signature.id)
    try journal.record(steps(Self.strokes[0]))
    var next = try self.journal(left(isDraft: false))
    #expect(left(isDraft: false).strokes == [Self.strokes[0]])
    try next.forget(signed: "another")
    #expect(left().signed.last == Self.signature)
    try next.forget(signed: Self.signature.id)
    #expect(left().signed.isEmpty && left().strokes == [Self.strokes[0]])
  }

  private func publish(_ id: String, _ journal: inout InkJournal) throws {
    var signature = Self.signature
    signature.id = id
    try journal.record(publishing: signature)
    try journal.record(published: id)
  }

  @Test func `four signatures are kept, each until its client has read it`() throws {
    var journal = try journal()
    for id in ["01", "02", "03", "04", "05"] { try publish(id, &journal) }
    #expect(ids() == ["02", "03", "04", "05"])
    try journal.forget(signed: "03")
    #expect(ids() == ["02", "04", "05"])
    // The next life keeps them, and what it signs itself.
    var next = try self.journal(left(isDraft: false))
    try publish("06", &next)
    #expect(ids() == ["02", "04", "05", "06"])
    for id in ids() { try next.forget(signed: id) }
    #expect(!InkJournal.exists(in: folder.path))
  }

  @Test func `a signature that was being published is kept beside the others`() throws {
    var journal = try journal()
    try publish("01", &journal)
    var signature = Self.signature
    signature.id = "02"
    try journal.record(publishing: signature)
    #expect(left(isDraft: true).signed.map(\.id) == ["01"])
    #expect(ids() == ["01", "02"])
    _ = try self.journal(left(isDraft: false))
    #expect(ids() == ["01", "02"])
  }

  @Test func `what is forgotten after the last save is not there, and an open question stays`()
    throws
  {
    var journal = try journal()
    try publish("01", &journal)
    try publish("02", &journal)
    try journal.record(request)
    try journal.record(steps(Self.strokes[0]))
    try journal.record(publishing: Self.signature)
    InkJournal.amend(in: folder.path, [.read("01"), .request(nil)])
    #expect(left(isDraft: true).signed.map(\.id) == ["02"])
    #expect(left(isDraft: true).request == nil)
    #expect(left(isDraft: true).strokes == [Self.strokes[0]])
    #expect(left(isDraft: false).signed.map(\.id) == ["02", Self.signature.id])
  }

  @Test func `a journal that was changed by others is not replaced by what can be read of it`()
    throws
  {
    var journal = try journal()
    try journal.record(steps(Self.strokes[0]))
    let file = try FileDescriptor(
      opening: folder.path + "/" + InkJournal.name, O_WRONLY | O_APPEND)
    try file.writeAll([0])
    var large = request
    large.text = String(repeating: "x", count: 1 << 20)
    var isGivenUp = false
    do { try journal.record(large) } catch { isGivenUp = true }
    #expect(isGivenUp && left().strokes == [Self.strokes[0]])
  }

  @Test func `a journal that has grown is rewritten, and one without state is emptied`() throws {
    var journal = try journal()
    try journal.record(request)
    try publish("01", &journal)
    var later = request
    later.number = 8
    try journal.record(later)
    let nowhere = Sample(time: 0, position: .zero)
    var largest = 0
    var drawn = 0
    for _ in 0..<(4 << 20) / (24 * Self.strokes[0].samples.count) {
      try journal.record(steps(Self.strokes[0]))
      try journal.record([GlassContact(.cancel, nowhere, isMistake: true)])
      drawn += 24 * (Self.strokes[0].samples.count + 2)
      largest = max(largest, try size())
    }
    #expect(drawn > 4 << 20 && largest < 2 << 20)
    #expect(left().request == later && left().strokes.isEmpty && ids() == ["01"])
    try journal.record(steps(Self.strokes[1]))
    #expect(left().strokes == [Self.strokes[1]])
    try journal.record([GlassContact(.cancel, nowhere)])
    try journal.record(nil as PadRequest?)
    try journal.forget(signed: "01")
    #expect(try size() == 0)
    try journal.record(steps(Self.strokes[1]))
    #expect(left().strokes == [Self.strokes[1]])
  }

  /// Recovers the journal between the steps of the save thread.
  @Test
  func `after a kill at any step from the first stroke to the reply, the signature exists once`()
    throws
  {
    let spool = folder.path + "/spool"
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    let scale = Scale(x: 5, y: 5)
    let area = Area(x: 0, y: 0, width: 154, height: 86)
    let configuration = try PadConfiguration("", file: "", models: Appliance.modelNames)
    let wishes = configuration.signature
    let files = SignatureFiles(
      drawing: SignatureDrawing(wishes: wishes, model: .uberSignature, theme: Theme()),
      device: "pad",
      panel: "panel")
    func left() -> RecoveredState {
      (try? RecoveredState(in: folder.path) { Spool.hasDraft($0, at: spool) }) ?? RecoveredState()
    }
    func published() -> Int { (try? Folder(spool + "/new").names().count) ?? -1 }
    var journal = try journal()
    try journal.record(request)
    for stroke in Self.strokes { try journal.record(steps(stroke)) }
    #expect(left().strokes == Self.strokes && left().request == request && !left().isDone)
    try journal.recordDone(ShownContent())
    var before: RecoveredState?
    let finished = FinishedSignature(
      strokes: Self.strokes, glass: area, scale: scale, request: 7, reference: "4711", done: 0)
    let sealing = Sealing(configuration.seal)
    var exchange = SealExchange(with: SealProgram(nil))
    let (_, saved) = try files.publish(
      finished, by: &publisher, sealing: sealing, signing: Signing(configuration),
      exchange: &exchange
    ) {
      #expect($0 != nil)
      try? journal.record(publishing: $0)
      before = left()
      #expect(published() == 0)
    }
    #expect(
      before?.isDone == true && before?.strokes == Self.strokes && before?.signed.isEmpty == true)
    #expect(before?.request == request)
    #expect(
      left().signed.last == saved && left().strokes.isEmpty && left().request == nil)
    #expect(published() == 1)
    try journal.record(published: saved.id)
    #expect(
      left().signed.last == saved && left().strokes.isEmpty && left().request == nil)
    try journal.forget(signed: saved.id)
    #expect(left().signed.isEmpty && left().strokes.isEmpty)
  }

  @Test func `the record of an item is removed before the spool is cleaned of it`() throws {
    var journal = try journal()
    try journal.record(steps(Self.strokes[0]))
    try journal.recordDone(ShownContent())
    try journal.record(publishing: Self.signature)
    _ = try self.journal(left(isDraft: true))
    // Now the item may go from tmp without having been published.
    #expect(left(isDraft: false).isDone && left(isDraft: false).strokes == [Self.strokes[0]])
  }

  @Test
  func `the publisher reports the move before it, when the item is complete but not yet in new`()
    throws
  {
    let spool = folder.path + "/spool"
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    let id = draft.id.text
    try draft.write(.png, Fixtures.png())
    var isThere = false
    _ = try draft.publish(Fixtures.description) { _ in
      isThere =
        Spool.hasDraft(id, at: spool) && Fixtures.exists("\(spool)/tmp/\(id)/signature.json")
    }
    #expect(isThere)
    #expect(!Spool.hasDraft(id, at: spool))
    // Without evidence, an item counts as unpublished.
    #expect(Spool.hasDraft(id, at: folder.path + "/elsewhere"))
    #expect(Spool.hasDraft("../new", at: spool))
    // And one whose move into `new` cannot be synchronised: a power cut may take it back.
    #expect(rename(spool + "/new", spool + "/elsewhere") == 0)
    #expect(Spool.hasDraft(id, at: spool))
  }

  private func size() throws -> Int {
    Int(try Folder(folder.path).status(of: InkJournal.name).size)
  }

  /// The content of the journal.
  func journalled() throws -> [UInt8] {
    try #require(Folder.content(of: folder.path + "/" + InkJournal.name, limit: 1 << 20))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the journal has the ink on the glass, whatever was undone or wiped`(_ seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    var journal = try journal()
    var (present, batch): ([Stroke], [GlassContact]) = ([], [])
    let nowhere = Sample(time: 0, position: .zero)
    for number in 0..<60 {
      let sample = Sample(time: Int64(number), position: Point(Float(number), Float(seed)))
      switch Int.random(in: 0...9, using: &random) {
      case 0:
        present = []
        batch.append(GlassContact(.cancel, nowhere))
      case 1...3:
        _ = present.popLast()
        batch.append(GlassContact(.cancel, nowhere, isMistake: true))
      default:
        present.append(Stroke(Array(repeating: sample, count: 1 + number % 3)))
        batch += steps(present[present.count - 1])
      }
      if Int.random(in: 0...2, using: &random) == 0 {
        try journal.record(batch)
        batch = []
      }
      if Int.random(in: 0...9, using: &random) == 0 {
        try journal.record(batch)
        batch = []
        journal = try self.journal(left())
      }
    }
    try journal.record(batch)
    #expect(left().strokes == present, "seed \(seed)")
    _ = try self.journal(left())
    let count = present.reduce(0) { $0 + $1.samples.count + 1 }
    #expect(try journalled().count == count * StrokeRecords.size, "seed \(seed)")
  }

  @Test func `the journal of a full pad has exactly the ink on the glass`() throws {
    final class Steps { var all: [GlassContact] = [] }
    let steps = Steps()
    var journal = try journal()
    var glass = PadModel(
      width: 770, height: 430, scale: PadModelTests.scale, model: .standard, theme: Theme(),
      minimumLength: 5, capacity: 30
    ) { steps.all.append($0) }
    for stroke in 0..<4 {
      func sample(_ step: Int) -> Sample {
        Sample(
          time: Int64(stroke * 100 + step), position: Point(40 + Float(step), 30 + Float(stroke)))
      }
      _ = glass.down(sample(0))
      for step in 1..<12 { _ = glass.move(sample(step), afterGap: step % 5 == 0) }
      _ = glass.up(at: sample(12).time)
    }
    let strokes = glass.drawing.store.strokes()
    #expect(strokes.map(\.samples.count) == [12, 12, 6])
    try journal.record(steps.all)
    #expect(left().strokes == strokes)
    #expect(try journalled().count == (30 + 3) * StrokeRecords.size)
  }

  @Test func `the journal of a full pad with many strokes is read`() throws {
    let sample = Sample(time: 1, position: Point(2, 3))
    let count = StrokeStore.strokeCapacity
    var strokes = [Stroke](repeating: Stroke([sample]), count: count)
    strokes[count - 1].samples = Array(
      repeating: sample, count: StrokeStore.defaultCapacity - count + 1)
    var journal = try journal()
    for stroke in strokes { try journal.record(steps(stroke)) }
    try journal.recordDone(ShownContent())
    let left = left()
    #expect(left.isDone && left.strokes == strokes)
  }

  @Test func `a pad that was killed after Done sends the same strokes again`() throws {
    var glass = PadModelTests().glass()
    // Its words are not typeset yet.
    let shown = ShownContent(title: "Paket", prompt: "Bitte hier unterschreiben")
    let snapshot = PadSnapshot(strokes: Self.strokes, isDone: true, shown: shown)
    let finished = glass.restore(snapshot, at: 5_000)
    #expect(finished?.strokes == Self.strokes && finished?.shown == shown)
    #expect(glass.session.viewState.isSaving)
    glass.saved(at: 6_000)
    #expect(glass.session.viewState.page == .saved)
  }

  @Test func `restored ink is not abandoned at once, and not kept without a request`() {
    let day: Int64 = 86_400_000_000_000
    var rules = SessionRules()
    rules.abandonment = 120_000_000_000
    for invites in [true, false] {
      rules.invites = invites
      var glass = PadModel(
        width: 770, height: 430, scale: PadModelTests.scale, model: .uberSignature, theme: Theme(),
        minimumLength: 5, rules: rules)
      let finished = glass.restore(
        PadSnapshot(strokes: Self.strokes, rules: rules, at: day), at: day)
      #expect(finished == nil)
      glass.time(day + 1)
      let count = glass.drawing.store.strokes().count
      #expect(count == (invites ? Self.strokes.count : 0))
    }
  }
}
