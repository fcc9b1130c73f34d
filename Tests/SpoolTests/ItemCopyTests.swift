import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Spool

/// Copies of an item by several writers, and what those leave that do not end well.
@Suite struct ItemCopyTests {
  let folder = TemporaryFolder()
  var target: String { folder.path + "/target" }

  init() throws { mkdir(target, 0o770) }

  private func item() throws -> Item {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    return try Item(id, in: Spool(at: publisher.path).new)
  }

  private func isWhole(_ item: Item) throws -> Bool {
    let copy = try Item(item.manifest.id, in: Folder(target))
    return copy.files.map { $0.bytes } == item.files.map { $0.bytes }
  }

  @Test func `writers of the same item at the same time leave one whole copy`() throws {
    let (item, target) = (try item(), target)
    for _ in 0..<Soak.rounds(200, full: 5000) {
      let other = try Thread(name: "writer") { _ = try? item.copy(into: Folder(target)) }
      var failure: SystemError?
      do throws(SystemError) {
        _ = try item.copy(into: try Folder(target))
      } catch { failure = error }
      other.join()
      #expect(failure == nil)
      #expect(try isWhole(item))
      #expect(try Folder(target).names() == [item.manifest.id.text])
      try Folder(target).removeTree(item.manifest.id.text)
    }
  }

  @Test func `what a writer has left is removed, and what one is writing stays`() throws {
    let item = try item()
    let id = item.manifest.id.text
    let (left, old) = (".\(id).0123456789abcdef.part", ".\(id).part")
    let (written, foreign) = (".\(id).fedcba9876543210.part", ".cache.0123456789abcdef.part")
    for name in [left, old, written, foreign] {
      mkdir("\(target)/\(name)", 0o770)
      try Fixtures.write("\(target)/\(name)/signature.png", [1])
    }
    let writer = try Folder("\(target)/\(written)")
    #expect(try writer.descriptor.tryLock())
    let now = WallClock.now / 1_000_000_000
    // Those of another machine, whose locks may be its own.
    #expect(Item.removeUnfinishedCopies(in: try Folder(target), at: now + 86_000))
    #expect(try Folder(target).names().count == 4)
    let own = item.manifest.id
    #expect(Item.removeUnfinishedCopies(in: try Folder(target)) { $0 == own })
    #expect(try Set(Folder(target).names()) == [written, foreign])
    try writer.descriptor.unlock()
    #expect(!Item.removeUnfinishedCopies(in: try Folder(target), at: now + 90_000))
    #expect(try Folder(target).names() == [foreign])
  }

  @Test func `whoever removes unfinished copies takes nothing out of one that is being written`()
    throws
  {
    let (item, target) = (try item(), target)
    let isDone = folder.path + "/done"
    let remover = try Thread(name: "remover") {
      while !Fixtures.exists(isDone) {
        if let folder = try? Folder(target) {
          Item.removeUnfinishedCopies(in: folder) { $0 == item.manifest.id }
        }
        sched_yield()
      }
    }
    var (copied, broken) = (0, 0)
    for _ in 0..<Soak.rounds(100, full: 10_000) {
      do throws(SystemError) {
        _ = try item.copy(into: try Folder(target))
        copied += 1
      } catch {
        // Before its lock, a copy may be removed as a whole.
        continue
      }
      if (try? isWhole(item)) != true { broken += 1 }
      try? Folder(target).removeTree(item.manifest.id.text)
    }
    mkdir(isDone, 0o700)
    remover.join()
    #expect(copied > 0 && broken == 0)
    #expect(try Folder(target).names().isEmpty)
  }
}
