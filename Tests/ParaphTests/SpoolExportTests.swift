import CLinux
import Spool
import SpoolFixtures
import Testing

@testable import paraph

/// What `paraph spool export` copies while paraph-handoff moves signatures.
@Suite struct SpoolExportTests {
  let folder = TemporaryFolder()
  var path: String { folder.path + "/spool" }

  private func spool() throws(ToolError) -> Spool {
    do throws(SpoolError) { return try Spool(at: path) } catch { throw ToolError(error) }
  }

  /// Publishes a signature, and lists it in `place`.
  private func listed(in place: Spool.Place) throws -> SpoolEntry {
    var publisher = Publisher(at: path)
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id.text
    try move(id, from: .new, to: place)
    let entries = try SpoolEntry.all(in: try spool(), [place])
    return try #require(entries.first)
  }

  private func move(_ id: String, from: Spool.Place, to: Spool.Place) throws {
    if from == to { return }
    try #require(rename("\(path)/\(from.rawValue)/\(id)", "\(path)/\(to.rawValue)/\(id)") == 0)
  }

  @Test(arguments: [Spool.Place.new, .failed], [Spool.Place.new, .failed])
  func `a signature that moves between new and failed after it was listed is found`(
    from: Spool.Place, to: Spool.Place
  ) throws {
    let entry = try listed(in: from)
    try move(entry.name, from: from, to: to)
    let item = try SpoolExport.item(of: entry, in: try spool())
    #expect(item.manifest.id == entry.id)
  }

  @Test func `a signature that is delivered after it was listed is missing`() throws {
    let entry = try listed(in: .new)
    try move(entry.name, from: .new, to: .delivered)
    do throws(ToolError) {
      _ = try SpoolExport.item(of: entry, in: try spool())
      Issue.record("it was read")
    } catch { #expect(error.code == .noInput) }
  }
}
