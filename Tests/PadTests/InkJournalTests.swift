import CLinux
import Control
import Ink
import Linux
import Signature
import Spool
import SpoolFixtures
import SyntheticHand
import Testing
import Touch

@testable import Pad

/// What one life of the pad writes down, and the next one finds.
@Suite struct InkJournalTests {
  let folder = TemporaryFolder()

  static let strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }

  func steps(_ stroke: Stroke) -> [GlassContact] {
    stroke.samples.enumerated().map { GlassContact($0 == 0 ? .down : .move, $1) }
      + [GlassContact(.up, stroke.samples[stroke.samples.count - 1])]
  }

  func left(isDraft: Bool = true) -> LeftInk {
    LeftInk(in: folder.path) { _ in isDraft }
  }

  func journal(_ left: LeftInk = LeftInk()) throws -> InkJournal {
    try InkJournal(in: folder.path, left)
  }

  var request: NotedRequest {
    var request = SignRequest(number: 7)
    (request.reference, request.title, request.prompt) = ("4711", "Paket", "Für Frau Größe")
    (request.language, request.cancellable) = ("de", true)
    return NotedRequest(request, limit: 99)
  }

  @Test func `where nothing was written nothing is left`() {
    let left = left()
    #expect(left.strokes.isEmpty && left.request == nil && !left.isDone)
  }

  @Test func `what was drawn comes back sample by sample, with its gaps and its request`() throws {
    var journal = try journal()
    var strokes = Self.strokes
    strokes[1].gaps = [3]
    for stroke in strokes {
      var steps = steps(stroke)
      for gap in stroke.gaps { steps[gap].isAfterGap = true }
      try journal.note(steps)
    }
    try journal.note(request)
    let left = left()
    #expect(left.strokes == strokes)
    #expect(left.request == request)
    #expect(!left.isDone)
  }

  @Test func `a stroke that was taken back is not there, nor one from before the wipe`() throws {
    var journal = try journal()
    let nowhere = Sample(time: 0, position: .zero)
    try journal.note(steps(Self.strokes[0]) + [GlassContact(.cancel, nowhere)])
    try journal.note(steps(Self.strokes[1]) + steps(Self.strokes[0]))
    try journal.note([GlassContact(.cancel, nowhere, isMistake: true)])
    #expect(left().strokes == [Self.strokes[1]])
  }

  @Test func `the next life goes on writing after what it found`() throws {
    var first = try journal()
    try first.note(steps(Self.strokes[0]))
    var second = try journal(left())
    try second.note(steps(Self.strokes[1]))
    #expect(left().strokes == Array(Self.strokes.prefix(2)))
  }

  @Test func `a journal that was cut anywhere gives the strokes up to there`() throws {
    var journal = try journal()
    for stroke in Self.strokes { try journal.note(steps(stroke)) }
    let path = folder.path + "/" + InkJournal.strokesName
    let bytes = try #require(Folder.content(of: path, limit: 1 << 20))
    for count in stride(from: 0, through: bytes.count, by: 7) {
      let strokes = LeftInk.strokes(Array(bytes.prefix(count)))
      let samples = strokes.flatMap { $0.samples }
      #expect(samples == Array(Self.strokes.flatMap { $0.samples }.prefix(samples.count)))
      #expect(samples.count >= count / InkJournal.recordSize - strokes.count)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `rubbish is no ink that cannot be drawn`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let bytes = (0..<600).map { index in
      index % InkJournal.recordSize == 0
        ? UInt8(random.next() % 6) : UInt8(truncatingIfNeeded: random.next())
    }
    for stroke in LeftInk.strokes(bytes) {
      #expect(!stroke.samples.isEmpty, "seed \(seed)")
      #expect(stroke.samples.allSatisfy { $0.position.x.isFinite && $0.position.y.isFinite })
      #expect(stroke.gaps.allSatisfy { stroke.samples.indices.contains($0) })
    }
    #expect(NotedRequest(bytes) == nil)
  }

  @Test func `Done is known until the signature is saved or could not be`() throws {
    var journal = try journal()
    try journal.note(steps(Self.strokes[0]))
    try journal.note(done: true)
    #expect(left().isDone)
    try journal.note(done: false)
    #expect(!left().isDone)
    try journal.note(done: true)
    try journal.clear()
    #expect(!left().isDone && left().strokes.isEmpty)
  }

  @Test func `once the item has left tmp nothing is left, and until then all of it`() throws {
    var journal = try journal()
    try journal.note(steps(Self.strokes[0]))
    try journal.note(request)
    try journal.note(done: true)
    try journal.note(publishing: "0190c8a4")
    #expect(left(isDraft: true).isDone && left(isDraft: true).request == request)
    let published = left(isDraft: false)
    #expect(published.strokes.isEmpty && published.request == nil && !published.isDone)
    _ = try self.journal(published)
    #expect(left().strokes.isEmpty && left().request == nil && !left().isDone)
  }

  @Test func `the note of an item is gone before the spool is cleaned of it`() throws {
    var journal = try journal()
    try journal.note(steps(Self.strokes[0]))
    try journal.note(done: true)
    try journal.note(publishing: "0190c8a4")
    _ = try self.journal(left(isDraft: true))
    // Now the item may go from tmp without having been published.
    #expect(left(isDraft: false).isDone && left(isDraft: false).strokes == [Self.strokes[0]])
  }

  @Test func `the publisher tells before the move, when the item is whole but not yet in new`()
    throws
  {
    let spool = folder.path + "/spool"
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    let id = draft.id.text
    try draft.write(.png, Fixtures.png())
    var isThere = false
    _ = try draft.publish(Fixtures.description) {
      isThere =
        Spool.hasDraft(id, at: spool) && Fixtures.exists("\(spool)/tmp/\(id)/signature.json")
    }
    #expect(isThere)
    #expect(!Spool.hasDraft(id, at: spool))
    // Where it cannot be told, nothing is taken for published.
    #expect(Spool.hasDraft(id, at: folder.path + "/elsewhere"))
    #expect(Spool.hasDraft("../new", at: spool))
  }

  @Test func `a pad that was killed after Done sends the same strokes again`() throws {
    var glass = GlassTests().glass()
    let snapshot = GlassSnapshot(strokes: Self.strokes, isDone: true)
    let finished = glass.restore(snapshot, at: 5_000)
    #expect(finished?.strokes == Self.strokes)
    #expect(glass.session.face.isSaving)
    glass.saved(at: 6_000)
    #expect(glass.session.face.mark == .saved)
  }

  @Test func `ink that is back is not abandoned at once, nor kept where nobody is asked`() {
    let day: Int64 = 86_400_000_000_000
    var rules = SessionRules()
    rules.abandonment = 120_000_000_000
    for invites in [true, false] {
      rules.invites = invites
      var glass = Glass(
        width: 770, height: 430, scale: GlassTests.scale, model: .uberSignature, theme: Theme(),
        minimumLength: 5, rules: rules)
      let finished = glass.restore(GlassSnapshot(strokes: Self.strokes), at: day)
      #expect(finished == nil)
      glass.time(day + 1)
      let count = glass.drawing.store.strokes().count
      #expect(count == (invites ? Self.strokes.count : 0))
    }
  }
}
