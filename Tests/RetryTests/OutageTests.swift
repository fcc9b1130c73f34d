import Retry
import Testing

/// The limits of a fleet: times are seconds here.
@Suite struct OutageTests {
  static let second: Int64 = 1_000_000_000
  let backoff = Backoff(
    first: 5 * second, longest: 3600 * second, longestEarly: Backoff.fleetLimit)

  @Test func `the limit doubles to a minute in the first hour, and to an hour after it`() {
    var outage = Outage()
    var limits: [Int64] = []
    var now: Int64 = 7
    while now < 3600 * Self.second {
      outage.fail(at: now)
      limits.append(backoff.limit(in: outage) / Self.second)
      now += backoff.limit(in: outage)
    }
    #expect(limits.prefix(5) == [5, 10, 20, 40, 60] && limits.dropFirst(4).allSatisfy { $0 == 60 })
    limits = []
    for _ in 0..<8 {
      now += 3600 * Self.second
      outage.fail(at: now)
      limits.append(backoff.limit(in: outage) / Self.second)
    }
    #expect(limits == [120, 240, 480, 960, 1920, 3600, 3600, 3600])
  }

  @Test func `failures before the start count, but no time has passed since`() {
    var outage = Outage(failures: 100)
    outage.fail(at: 1)
    #expect(outage.failures == 101 && backoff.limit(in: outage) == 60 * Self.second)
  }

  @Test func `counters and clocks at their ends do not trap`() {
    var outage = Outage(failures: .max)
    outage.fail(at: .min)
    outage.fail(at: .max)
    #expect(outage.failures == .max)
    #expect(backoff.limit(in: outage) <= 3600 * Self.second)
  }

  @Test(arguments: 1...40)
  func `every delay is random, above half of the first limit, and up to its own`(failures: Int) {
    var random = SplitMix64(seed: UInt64(failures))
    var first = Outage()
    for number in 0..<failures { first.fail(at: Int64(number) * 300 * Self.second) }
    let limit = backoff.limit(in: first)
    let delays = (0..<300).map { _ in
      var outage = first
      return backoff.delay(in: &outage, random: &random)
    }
    let low = min(backoff.first, limit) / 2
    #expect(delays.allSatisfy { $0 >= low && $0 <= limit })
    #expect(delays.contains { $0 < low + (limit - low) / 10 })
    #expect(delays.contains { $0 > limit - (limit - low) / 10 })
  }

  @Test
  func `attempts follow one another within the limit, and are spread evenly over each window`() {
    var random = SplitMix64(seed: 3)
    // Of the windows that begin after 0, 5, 15, 35, 75, 135 s, the last two.
    var counts = [Int](repeating: 0, count: 120)
    for _ in 0..<6000 {
      var outage = Outage()
      var now: Int64 = 0
      for limit in [5, 10, 20, 40, 60, 60] as [Int64] {
        outage.fail(at: now)
        let delay = backoff.delay(in: &outage, random: &random)
        #expect(delay >= 5 * Self.second / 2 && delay <= limit * Self.second)
        now += delay
        let second = Int(now / Self.second) - 75
        if second >= 0 { counts[second] += 1 }
      }
    }
    // A hundred on average.
    #expect(counts.allSatisfy { (50...150).contains($0) }, "\(counts)")
  }

  @Test func `a spread begins a window, and what fails in it comes back as spread`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<100 {
      var outage = Outage(failures: 4)
      let spread = backoff.spread(in: &outage, random: &random)
      #expect((0..<30 * Self.second).contains(spread))
      outage.fail(at: spread)
      let delay = backoff.delay(in: &outage, random: &random)
      // The place in a window of 60 s behind that of 30 s.
      #expect(abs(spread + delay - 30 * Self.second - 2 * spread) <= 10)
    }
  }

  @Test func `the longest window does not overflow`() {
    let endless = Backoff(first: 1, longest: .max)
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var outage = Outage(failures: 1000)
      for _ in 0..<3 { #expect(endless.delay(in: &outage, random: &random) > 0) }
    }
  }
}
