import Control
import Ink
import Linux
import SpoolFixtures
import Testing

@testable import Pad

@Suite struct EarlierJournalTests: JournalSuite {
  let folder = TemporaryFolder()

  @Test func `the signature file of an earlier version is taken over`() throws {
    try Fixtures.write(folder.path + "/strokes", [])
    try Fixtures.write(
      folder.path + "/signed", JournaledSignature.encode(InkJournalTests.signature))
    #expect(left().signed == [InkJournalTests.signature])
    var journal = try journal(left())
    #expect(left().signed == [InkJournalTests.signature])
    #expect(!Fixtures.exists(folder.path + "/signed"))
    try journal.forget(signed: InkJournalTests.signature.id)
    #expect(ids().isEmpty)
  }

  @Test func `foreign files are not signatures, and incomplete ones are removed`() throws {
    try Fixtures.write(folder.path + "/strokes", [])
    for name in ["signed-01", "signed-02.new", "signed-", "signed-A b"] {
      try Fixtures.write(
        folder.path + "/" + name, JournaledSignature.encode(InkJournalTests.signature))
    }
    // The identity in the file is another one.
    #expect(ids().isEmpty)
    _ = try journal(left())
    #expect(!Fixtures.exists(folder.path + "/signed-01"))
    #expect(InkJournal.crashesName("../x") == nil && InkJournal.crashesName("") == nil)
  }

  /// Writes the files of an earlier program.
  private func writeEarlier(publishing: Bool = false) throws {
    try Fixtures.write(folder.path + "/strokes", StrokeRecords.bytes(of: InkJournalTests.strokes))
    try Fixtures.write(folder.path + "/request.json", JournaledRequest.encode(request))
    try Fixtures.write(folder.path + "/done", [])
    var kept = InkJournalTests.signature
    kept.id = "01"
    try Fixtures.write(folder.path + "/signed-01", JournaledSignature.encode(kept))
    if publishing {
      try Fixtures.write(
        folder.path + "/publishing", JournaledSignature.encode(InkJournalTests.signature))
    }
  }

  @Test func `the files of an earlier program become the journal`() throws {
    try writeEarlier(publishing: true)
    let published = left(isDraft: false)
    #expect(published.signed.map(\.id) == ["01", InkJournalTests.signature.id])
    #expect(published.strokes.isEmpty && published.request == nil && !published.isDone)
    let draft = left(isDraft: true)
    #expect(draft.strokes == InkJournalTests.strokes && draft.request == request && draft.isDone)
    _ = try journal(draft)
    #expect(try Folder(folder.path).names() == [InkJournal.name])
    let after = left(isDraft: false)
    #expect(after.strokes == InkJournalTests.strokes && after.request == request && after.isDone)
    #expect(after.signed.map(\.id) == ["01"])
  }

  @Test func `an earlier program's files count until they are taken over, and then no longer`()
    throws
  {
    // What this program left before an earlier one ran.
    var journal = try journal()
    try journal.record(steps(InkJournalTests.strokes[0]))
    try writeEarlier()
    #expect(left().strokes == InkJournalTests.strokes)
    // Killed while the files are removed: the first to go decides.
    _ = try self.journal(left())
    try Fixtures.write(folder.path + "/done", [])
    try Fixtures.write(
      folder.path + "/signed-02", JournaledSignature.encode(InkJournalTests.signature))
    #expect(left().signed.map(\.id) == ["01"])
    _ = try self.journal(left())
    #expect(try Folder(folder.path).names() == [InkJournal.name])
  }
}
