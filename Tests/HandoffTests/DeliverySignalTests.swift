import CLinux
import Configuration
import Linux
import SpoolFixtures
import Testing

@testable import Handoff
@testable import Spool

/// Signals while a sink delivers.
@Suite struct DeliverySignalTests {
  let folder = TemporaryFolder()
  var spool: String { folder.path + "/spool" }
  var begun: String { folder.path + "/begun" }
  var go: String { folder.path + "/go" }

  /// With a sink whose program waits for the file `go`.
  func configuration(_ line: String = "") throws -> HandoffConfiguration {
    let script = folder.path + "/slow"
    let lines = "#!/bin/sh\ntouch \(begun)\nuntil [ -e \(go) ]; do sleep 0.01; done\n"
    try Fixtures.write(script, Array(lines.utf8))
    chmod(script, 0o755)
    let text = """
      [spool]
      path = \(spool)
      [handoff]
      \(line)
      [sink slow]
      type = command
      command = \(script)
      """
    return try HandoffConfiguration(text, file: "test")
  }

  func publish() throws -> ItemID {
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    return try Fixtures.publish(&publisher).id
  }

  @Test func `an invalid configuration leaves the valid one that waits`() throws {
    _ = try publish()
    let configuration = try configuration()
    var valid = configuration
    valid.retain = 1
    var reads: [HandoffConfiguration?] = [valid, nil]
    let event = try EventDescriptor()
    event.signal()
    let delivery = try Delivery(configuration) { _, _ in }
    var sent = 0
    let end = try delivery.run(event.number) {
      if sent < 2, Fixtures.exists(begun) {
        sent += 1
        return SIGHUP
      }
      // Without a reload, the run would go on after the delivery.
      return (try? Folder(spool + "/new").names())?.isEmpty == true ? SIGTERM : nil
    } reload: {
      let read = reads.removeFirst()
      if reads.isEmpty { try? Fixtures.write(go, []) }
      return read
    }
    guard case .reload(let next) = end else { throw Errno(EINVAL) }
    #expect(next == valid)
  }

  @Test func `a delivery that the end cancels does not make its signature too old`() throws {
    let fresh = try publish()
    let new = try Folder(spool + "/new")
    var manifest = try Item.readManifest(of: fresh, in: new)
    try new.removeTree(fresh.text)
    var ids = ItemIDSource()
    let time = WallClock.now - 7200 * 1_000_000_000
    manifest.id = try ids.next(at: time)
    (manifest.time, manifest.clockSynchronized) = (WallClock.text(time), true)
    try Fixtures.add(manifest, to: spool)
    let event = try EventDescriptor()
    event.signal()
    var lines: [String] = []
    let limits = Delivery.Limits(shutdown: 0, isClockSynchronized: { true })
    let delivery = try Delivery(configuration("maximum-age = 1h"), limits) { lines.append($1) }
    let end = try delivery.run(event.number) {
      Fixtures.exists(begun) ? SIGTERM : nil
    } reload: {
      nil
    }
    guard case .terminated = end else { throw Errno(EINVAL) }
    #expect(try new.names() == [manifest.id.text])
    #expect(try Folder(spool + "/failed").names().isEmpty)
    #expect(try Spool(at: spool).idsWithState().isEmpty)
    #expect(
      lines.contains("paraph: shutdown: a delivery was interrupted; the next run repeats it"))
  }
}
