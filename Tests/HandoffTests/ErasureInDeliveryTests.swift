import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Spool

/// An erasure while sinks deliver.
@Suite struct ErasureInDeliveryTests: HandoffProgram {
  let folder = TemporaryFolder()

  private var said: String { (try? log()) ?? "" }

  /// A slow command, and a folder that is not there yet and is tried in an hour.
  private func configure() throws {
    let script = folder.path + "/slow"
    try Fixtures.write(
      script,
      Array(
        """
        #!/bin/sh
        touch \(folder.path)/begun
        while [ ! -e \(folder.path)/go ]; do sleep 0.1; done

        """.utf8))
    chmod(script, 0o755)
    try Fixtures.write(
      configuration,
      Array(
        """
        [spool]
        path = \(spool)
        [handoff]
        rescan = 1h
        first-pause = 1h
        longest-pause = 2h
        [sink slow]
        type = command
        command = \(script)
        [sink later]
        type = directory
        path = \(folder.path)/later
        """.utf8))
  }

  @Test func `what is erased while a sink has it in memory goes to no other sink`() throws {
    try configure()
    var publisher = try publisher()
    let child = try start()
    let id = try Fixtures.publish(&publisher).id.text
    #expect(
      eventually {
        Fixtures.exists(folder.path + "/begun")
          && said.contains("delivery of \(id) failed")
      }, "\(said)")
    let output = try Programs.open(folder.path + "/erased")
    var erasure = try ChildProcess(
      Programs.path("paraph"), ["spool", "erase", id, "--spool", spool], output: output.number)
    #expect(eventually { !Fixtures.exists("\(spool)/new/\(id)") })
    mkdir(folder.path + "/later", 0o770)
    let flush = try Programs.run("paraph", ["spool", "flush", "later", "--spool", spool])
    #expect(flush.end == .exit(0), "\(flush)")
    #expect(eventually { said.contains("retried on request") }, "\(said)")
    let next = try Fixtures.publish(&publisher).id.text
    #expect(eventually { (try? delivered("later"))?.contains(next) == true }, "\(said)")
    #expect(try delivered("later") == [next])
    try Fixtures.write(folder.path + "/go", [])
    #expect(try erasure.wait(milliseconds: 60_000) == .exit(0))
    #expect(try Fixtures.text(folder.path + "/erased").contains("was being delivered"))
    _ = consume child
  }

  @Test func `an item that is locked is delivered when it is free`() throws {
    try configure()
    mkdir(folder.path + "/later", 0o770)
    try Fixtures.write(folder.path + "/go", [])
    var publisher = try publisher()
    let id = try Fixtures.publish(&publisher).id.text
    let item = try Folder("\(spool)/new/\(id)")
    #expect(try item.descriptor.tryLock())
    let text = try Fixtures.text(configuration).replacing(
      "first-pause = 1h", with: "first-pause = 10ms")
    try Fixtures.write(configuration, Array(text.replacing("= 2h", with: "= 20ms").utf8))
    let child = try start()
    let next = try Fixtures.publish(&publisher).id.text
    #expect(eventually { (try? delivered("later"))?.contains(next) == true }, "\(said)")
    #expect(try delivered("later") == [next])
    try item.descriptor.unlock()
    #expect(eventually { (try? delivered("later")) == [id, next] }, "\(said)")
    #expect(!said.contains("failed"), "\(said)")
    _ = consume child
  }
}
