import Configuration
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

@Suite struct MonitorTests {
  let folder = TemporaryFolder()

  /// Ids stay ahead, here by years, when a clock that was ahead is set right.
  @Test(arguments: [true, false])
  func `the oldest signature's age is by its manifest, or by its id if the clock was not set`(
    isSynchronized: Bool
  ) throws {
    let spool = folder.path + "/spool"
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    var manifest = try Fixtures.publish(&publisher)
    let time: Int64 = 1_800_000_000_000_000_000
    var ids = ItemIDSource()
    manifest.id = try ids.next(at: time + 500_000_000_000_000_000)
    (manifest.time, manifest.clockSynchronized) = (WallClock.text(time), isSynchronized)
    try Fixtures.add(manifest, to: spool)
    let text = """
      [spool]
      path = \(spool)
      [handoff]
      pad = none
      metrics = \(folder.path)/paraph.prom
      [sink one]
      type = directory
      path = \(folder.path)/one
      """
    let monitor = Monitor(try HandoffConfiguration(text, file: "test"), seed: 1)
    let id = manifest.id
    _ = monitor.work(waiting: 2, oldest: { id }, at: 0)
    #expect(monitor.figures.oldest == (isSynchronized ? time : id.time))
    #expect(monitor.figures.waiting == 2)
  }
}
