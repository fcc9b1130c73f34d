import Testing

@testable import Touch

@Suite struct RateLimitTests {
  @Test func `an event is allowed a limited number of times per span`() {
    var limit = RateLimit(count: 2, every: 100)
    let moments: [Int64] = [0, 10, 20, 99, 100, 101, 150, 250]
    #expect(
      moments.map { limit.allows(at: $0) } == [true, true, false, false, true, true, false, true])
  }
}
