import Ink
import Linux
import Testing
import Touch

@testable import Pad

@Suite struct JournalFeedTests {
  private let ring: ContactRing
  private let trace: JournalFeed

  init() throws {
    ring = try ContactRing()
    trace = JournalFeed(into: ring)
  }

  private func note(_ phase: GlassContact.Phase, times: Int = 1) {
    for _ in 0..<times { trace.note(GlassContact(phase, Sample(time: 0, position: Point(1, 1)))) }
  }

  /// How many steps the save thread finds if it is woken now; nil if it sleeps on.
  private func read() throws -> Int? {
    trace.wakeReader()
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
  func `it wakes for the beginning and the end of a stroke`(_ phase: GlassContact.Phase) throws {
    note(phase)
    #expect(try read() == 1)
    #expect(try read() == nil)
  }

  @Test func `of what lies between it wakes for every eighth report`() throws {
    note(.move, times: 7)
    #expect(try read() == nil)
    note(.move)
    #expect(try read() == 8)
    note(.move, times: 7)
    #expect(try read() == nil)
  }
}
