import CLinux
import Linux
import Spool
import SpoolFixtures
import SyntheticHand
import Testing

@testable import Handoff

/// Delivering on a disk that fails.
@Suite(.serialized) struct DeliveryFaultTests {
  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `delivery survives a disk error at every system call`() throws {
    func prepare(_ folder: TemporaryFolder) throws -> (configuration: String, ids: Set<String>) {
      var publisher = Publisher(at: folder.path + "/spool")
      _ = try publisher.prepare()
      let ids = try (0..<2).map { _ in try Fixtures.publish(&publisher).id.text }
      mkdir(folder.path + "/one", 0o770)
      mkdir(folder.path + "/two", 0o770)
      let text = """
        [spool]
        path = \(folder.path)/spool
        [sink one]
        type = directory
        path = \(folder.path)/one
        [sink two]
        type = directory
        path = \(folder.path)/two
        """
      try Fixtures.write(folder.path + "/conf", Array(text.utf8))
      return (folder.path + "/conf", Set(ids))
    }
    let first = TemporaryFolder()
    let traced = try prepare(first)
    let all = try SystemCalls.faults(
      of: "paraph-handoff", ["-c", traced.configuration, "--once"], from: first.path + "/spool")
    #expect(all.count > 60)
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    let faults = Soak.isOn ? all : Array(all.shuffled(using: &generator).prefix(20))
    var (refused, hangs) = (0, 0)
    for fault in faults {
      let folder = TemporaryFolder()
      let (configuration, ids) = try prepare(folder)
      let arguments = ["-c", configuration, "--once"]
      let faulty = try SystemCalls.run("paraph-handoff", arguments, with: fault)
      // Threads run as they like: what was a call to the disk can be a wake-up in another run, and one
      // that is lost, which no kernel does, lets the program wait until it is killed.
      switch faulty.end {
      case .exit(let status): refused += status == 0 ? 0 : 1
      case nil where fault.isTransfer: hangs += 1
      default: Issue.record("\(fault): \(String(describing: faulty.end))")
      }
      let after = try Programs.run("paraph-handoff", arguments)
      #expect(after.end == .exit(0), "\(fault): \(faulty.error) then \(after.error)")
      for sink in ["one", "two"] {
        let outbox = try Folder("\(folder.path)/\(sink)")
        #expect(try Set(outbox.names()) == ids, "\(fault): \(faulty.error) then \(after.error)")
        for id in ids { _ = try Item(#require(ItemID(id)), in: outbox) }
      }
      for place in ["new", "failed", "delivered"] {
        #expect(
          try Folder("\(folder.path)/spool/\(place)").names().isEmpty, "\(fault): \(place)")
      }
      #expect(try Spool(at: folder.path + "/spool").idsWithState().isEmpty, "\(fault)")
    }
    // Each run delivers everything if no fault was injected.
    #expect(refused > 0, "seed \(seed)")
    Soak.figure(
      "\(faults.count) faults of delivering, \(hangs) of which met a wake-up: all delivered after all"
    )
  }
}
