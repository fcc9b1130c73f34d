import Retry
import Testing

@Suite struct BackoffTests {
  let backoff = Backoff(first: 1000, longest: 10_000)

  @Test func `the delay is a random part of a limit that doubles up to the longest`() {
    var random = SplitMix64(seed: 7)
    for (failures, full) in [
      (1, 1000), (2, 2000), (3, 4000), (4, 8000), (5, 10_000), (60, 10_000), (100_000, 10_000),
    ] as [(Int, Int64)] {
      #expect(backoff.limit(after: failures) == full)
      let delays = (0..<200).map { _ in backoff.delay(after: failures, random: &random) }
      // Never at once again, else anything up to the limit.
      #expect(delays.allSatisfy { $0 >= 500 && $0 <= full }, "after \(failures)")
      #expect(delays.contains { $0 < 500 + (full - 500) / 10 }, "after \(failures)")
      #expect(delays.contains { $0 > full - (full - 500) / 10 }, "after \(failures)")
    }
  }

  @Test func `the longest delay does not overflow`() {
    var random = SplitMix64(seed: 7)
    let endless = Backoff(first: 1, longest: .max)
    #expect(endless.delay(after: 1000, random: &random) > 0)
  }

  @Test func `jitter spreads over its range`() {
    var random = SplitMix64(seed: 1)
    let fractions = (0..<1000).map { _ in random.fraction() }
    #expect(fractions.allSatisfy { (0..<1).contains($0) })
    #expect(fractions.contains { $0 < 0.05 } && fractions.contains { $0 > 0.95 })
  }
}
