import Ink
import Linux
import Testing
import Touch

@testable import Pad

@Suite struct JournalFeedTests {
  private let ring: ContactRing
  private let feed: JournalFeed

  init() throws {
    ring = try ContactRing()
    feed = JournalFeed(into: ring)
  }

  private func record(_ phase: GlassContact.Phase, times: Int = 1) {
    for _ in 0..<times { feed.record(GlassContact(phase, Sample(time: 0, position: Point(1, 1)))) }
  }

  /// How many steps the save thread finds if it is woken now; nil if it sleeps on.
  private func read() throws -> Int? {
    feed.wakeReader()
    var poll = Poll()
    let place = poll.add(ring.number)
    try poll.wait(milliseconds: 0)
    guard poll.isReadable(place) else { return nil }
    ring.beginReading()
    var steps = 0
    while ring.pop() != nil { steps += 1 }
    return steps
  }

  @Test(arguments: [GlassContact.Phase.down, .up, .cancel])
  func `the beginning and the end of a stroke wake the save thread`(_ phase: GlassContact.Phase)
    throws
  {
    record(phase)
    #expect(try read() == 1)
    #expect(try read() == nil)
  }

  @Test func `within a stroke, every eighth report wakes the save thread`() throws {
    record(.move, times: 7)
    #expect(try read() == nil)
    record(.move)
    #expect(try read() == 8)
    record(.move, times: 7)
    #expect(try read() == nil)
  }
}
