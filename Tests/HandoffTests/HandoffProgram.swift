import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Spool

/// A suite whose tests run paraph-handoff with a configuration, a spool and an outbox of their own.
protocol HandoffProgram {
  var folder: TemporaryFolder { get }
}

extension HandoffProgram {
  var spool: String { folder.path + "/spool" }
  var outbox: String { folder.path + "/outbox" }
  var configuration: String { folder.path + "/handoff.conf" }

  /// Creates the outbox, and a configuration that delivers to it.
  func prepare() throws {
    mkdir(outbox, 0o770)
    try configure("rescan = 1h")
  }

  /// Writes a configuration of directory sinks for the suite's spool or another one.
  func configure(
    _ handoff: String, spool: String? = nil, sinks: [String] = ["outbox"]
  ) throws {
    var text = "[spool]\npath = \(spool ?? self.spool)\n[handoff]\n\(handoff)\n"
    for sink in sinks {
      text += "[sink \(sink)]\ntype = directory\npath = \(folder.path)/\(sink)\n"
    }
    try Fixtures.write(configuration, Array(text.utf8))
  }

  func start() throws -> ChildProcess {
    let log = try Programs.open(folder.path + "/log")
    return try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", configuration], error: log.number)
  }

  func log() throws -> String {
    String(decoding: try Fixtures.read(folder.path + "/log"), as: UTF8.self)
  }

  func delivered(_ sink: String = "outbox") throws -> Set<String> {
    Set(try Folder(folder.path + "/" + sink).names())
  }

  func publisher() throws -> Publisher {
    let publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    return publisher
  }

  /// A program that could not deliver an item, could now, and tries again in an hour.
  func startTooEarly(for id: String) throws -> ChildProcess {
    try configure("rescan = 1h\nfirst-pause = 1h\nlongest-pause = 2h", sinks: ["later"])
    let child = try start()
    #expect(try eventually { try log().contains("delivery of \(id) failed") })
    mkdir(folder.path + "/later", 0o770)
    return child
  }
}
