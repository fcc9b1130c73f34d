import Ink
import JSON
import Testing

@testable import Control

@Suite struct InkStreamTests {
  private func sample(_ seconds: Int64) -> Sample {
    Sample(time: seconds * 1_000_000_000, position: .zero)
  }

  /// The steps of the next reply to a client, each with its time; nil: it has all.
  private func next(_ stream: inout InkStream, for client: Int = 1) -> [String]? {
    stream.next(for: client)?.elements?.map { step in
      let time = step["sample"]?["t"]?.real.map { " \(Int($0))" } ?? ""
      return (step["step"]?.text ?? "") + time
    }
  }

  @Test func `times count from the first sample since the ink was wiped`() {
    var stream = InkStream()
    _ = stream.add(1)
    stream.draw([.wiped, .begins(sample(5)), .goesOnAfterGap(sample(6)), .ends])
    #expect(next(&stream) == ["wiped", "begins 0", "goes_on 1", "ends"])
    stream.draw([.undone, .begins(sample(9))])
    #expect(next(&stream) == ["undone", "begins 4"])
    stream.draw([.wiped, .begins(sample(20))])
    #expect(next(&stream) == ["wiped", "begins 0"])
    #expect(next(&stream) == nil)
  }

  @Test func `the first client and the last one are new, and nothing is kept between them`() {
    var stream = InkStream()
    #expect([stream.add(1), stream.add(2)] == [true, false])
    stream.draw([.wiped, .begins(sample(5))])
    #expect([stream.remove(1), stream.remove(7), stream.remove(2)] == [false, false, true])
    #expect(stream.add(3) && next(&stream, for: 3) == nil)
    // A step that the pad sent before it was asked for all ink does not begin it.
    stream.draw([.goesOn(sample(6))])
    #expect(next(&stream, for: 3) == nil)
    stream.draw([.wiped, .begins(sample(5)), .goesOn(sample(6))])
    #expect(next(&stream, for: 3) == ["wiped", "begins 0", "goes_on 1"])
  }

  @Test func `a client that begins to watch receives all ink, and the others only what is new`() {
    var stream = InkStream()
    _ = stream.add(1)
    stream.draw([.wiped, .begins(sample(5)), .ends])
    #expect(next(&stream)?.count == 3)
    _ = stream.add(2)
    #expect(next(&stream) == nil && !stream.hasMore(for: 1))
    #expect(next(&stream, for: 2) == ["wiped", "begins 0", "ends"])
    stream.draw([.begins(sample(6))])
    #expect(next(&stream) == ["begins 1"])
    #expect(next(&stream, for: 2) == ["begins 1"])
  }

  @Test func `a slow client receives what is on the glass when it reads`() {
    var stream = InkStream()
    _ = stream.add(1)
    stream.draw([.wiped, .begins(sample(1)), .ends])
    #expect(next(&stream) == ["wiped", "begins 0", "ends"])
    // The stroke that it has is removed, and one that it never had.
    stream.draw([.begins(sample(2)), .undone, .undone, .begins(sample(3))])
    #expect(next(&stream) == ["undone", "begins 2"])
    stream.draw([.ends, .wiped, .begins(sample(10)), .undone, .wiped, .begins(sample(20))])
    #expect(next(&stream) == ["wiped", "begins 0"])
    // Of two removed strokes it has the first one.
    stream.draw([.ends, .begins(sample(21))])
    stream.draw([.undone, .undone])
    #expect(next(&stream) == ["undone"])
    #expect(next(&stream) == nil)
  }

  @Test func `much ink comes in pieces, and changes between them arrive`() {
    var stream = InkStream()
    _ = stream.add(1)
    let count = 3 * InkStream.batch
    stream.draw([.wiped, .begins(sample(0)), .ends, .begins(sample(0))])
    stream.draw((1..<count).map { .goesOn(sample(Int64($0))) })
    #expect(next(&stream)?.count == InkStream.batch + 1)
    stream.draw([.undone, .begins(sample(7))])
    #expect(next(&stream) == ["undone", "begins 7"])
    #expect(next(&stream) == nil)
  }

  @Test func `ink beyond the limit is not kept until the next wipe`() {
    var stream = InkStream()
    _ = stream.add(1)
    stream.draw([.wiped, .begins(sample(1))])
    stream.draw([ControlEvent.InkStep](repeating: .goesOn(sample(1)), count: InkStream.limit + 9))
    var received = 0
    while let steps = next(&stream) { received += steps.count }
    #expect(received == InkStream.limit + 1)
    stream.draw([.undone, .begins(sample(9))])
    #expect(next(&stream) == nil)
    stream.draw([.wiped, .begins(sample(9))])
    #expect(next(&stream) == ["wiped", "begins 0"])
  }
}
