import SyntheticHand
import Testing

@testable import Ink

@Suite struct GapCursorTests {
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `it finds each gap, in whatever order they are`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let gaps = (0..<random.integer(0..<30)).map { _ in random.integer(-3..<60) }
    var cursor = GapCursor(gaps)
    var sample = -3
    while sample < 64 {
      #expect(cursor.isGap(before: sample) == gaps.contains(sample), "\(gaps)")
      sample += random.integer(0..<3)
    }
  }

  @Test func `the work grows with samples and gaps, not with their product`() {
    let samples = (0..<20_000).map { Sample(time: Int64($0), position: Point(Float($0), 0)) }
    let (plain, gapped) = (Stroke(samples), Stroke(samples, gaps: Array(1..<samples.count)))
    #expect(plain.length == 19_999 && gapped.length == 0)
    let (alone, both) = (processorTime { _ = plain.length }, processorTime { _ = gapped.length })
    // By looking for each sample in the gaps it is some thousand times.
    #expect(both < 50 * alone)
  }
}
