import Ink
import JSON
import Testing

@testable import Control

@Suite struct InkStreamTests {
  private func times(_ stream: inout InkStream, _ steps: [ControlEvent.InkStep]) -> [Double?] {
    (stream.json(steps).elements ?? []).map { $0["sample"]?["t"]?.real }
  }

  private func sample(_ seconds: Int64) -> Sample {
    Sample(time: seconds * 1_000_000_000, position: .zero)
  }

  @Test func `times count from the first sample of a signature`() {
    var stream = InkStream()
    #expect(times(&stream, [.begins(sample(5)), .goesOn(sample(6)), .ends]) == [0, 1, nil])
    #expect(times(&stream, [.undone, .begins(sample(9))]) == [nil, 4])
    #expect(times(&stream, [.wiped, .begins(sample(20))]) == [nil, 0])
    stream.restart()
    #expect(times(&stream, [.goesOnAfterGap(sample(30))]) == [0])
  }

  @Test func `only a change of watching is new, and begins anew`() {
    var stream = InkStream()
    #expect([stream.watch(false), stream.watch(true), stream.watch(true)] == [false, true, false])
    #expect(times(&stream, [.begins(sample(5))]) == [0])
    #expect([stream.watch(false), stream.watch(true)] == [true, true])
    #expect(times(&stream, [.goesOn(sample(7))]) == [0])
  }
}
