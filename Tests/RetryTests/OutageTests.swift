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
    var outage = Outage()
    for number in 0..<failures { outage.fail(at: Int64(number) * 300 * Self.second) }
    let limit = backoff.limit(in: outage)
    let delays = (0..<300).map { _ in backoff.delay(in: outage, random: &random) }
    let low = min(backoff.first, limit) / 2
    #expect(delays.allSatisfy { $0 >= low && $0 <= limit })
    #expect(delays.contains { $0 < low + (limit - low) / 10 })
    #expect(delays.contains { $0 > limit - (limit - low) / 10 })
  }
}
