import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Handoff

@Suite struct DeliveryLocksTests {
  private let folder = TemporaryFolder()

  private func answer(to number: Int32) -> (DeliveryLocks.Answer, SystemError) {
    let error = SystemError("open", "new/1", Errno(number))
    return (DeliveryLocks(sinks: 1, spool: folder.path).answer(to: error), error)
  }

  @Test(arguments: [EMFILE, ENFILE, ENOMEM, ENODEV])
  func `an error that concerns all items is no other program's lock`(number: Int32) {
    let (answer, error) = answer(to: number)
    #expect(answer == .unavailable(error))
  }

  @Test func `another program's lock, a missing item and a missing spool are told apart`() {
    #expect(answer(to: EWOULDBLOCK).0 == .locked)
    // Nothing is known of the item, and the sink's thread reports the reason.
    #expect(answer(to: ENOENT).0 == .begun)
    #expect(answer(to: EACCES).0 == .begun)
    mkdir(folder.path + "/new", 0o770)
    #expect(answer(to: ENOENT).0 == .gone)
  }
}
