import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Handoff
@testable import Spool

/// Which errors of reading an item concern the others.
@Suite struct SharedItemsTests {
  let folder = TemporaryFolder()

  @Test(arguments: [EMFILE, ENFILE, ENOMEM, ENODEV])
  func `a lack of descriptors, memory or the device concerns all items`(number: Int32) {
    let error = SystemError("open", "signature.png", Errno(number))
    #expect(SharedItems.Failure(.system(error)) == .all(error))
  }

  @Test func `an error of the disk in a file concerns its item alone`() {
    let failure = Item.Failure.system(SystemError("read", "signature.png", Errno(EIO)))
    #expect(SharedItems.Failure(failure) == .one(failure))
    #expect(SharedItems.Failure(.gone) == .one(.gone))
  }

  @Test func `a folder that cannot be opened concerns all items, an item that is gone only itself`()
    throws
  {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    let new = publisher.path + "/new"
    let items = try SharedItems(in: new, limit: 1 << 20)
    #expect(try items.withItem(id) { _ in .delivered } == .delivered)
    rename("\(new)/\(id.text)", folder.path + "/item")
    #expect(throws: SharedItems.Failure.one(.gone)) { try items.withItem(id) { _ in .delivered } }
    rename(new, folder.path + "/away")
    #expect(throws: SharedItems.Failure.all(SystemError("open", new, Errno(ENOENT)))) {
      try items.withItem(id) { _ in .delivered }
    }
  }
}
