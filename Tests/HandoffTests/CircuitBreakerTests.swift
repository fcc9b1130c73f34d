import Retry
import Testing

@testable import Handoff

@Suite struct CircuitBreakerTests {
  static let second: Int64 = 1_000_000_000
  var breaker = CircuitBreaker(Backoff(first: 10 * second, longest: 1000 * second))
  var random = SplitMix64(seed: 42)

  @Test
  mutating func `failures open it, the retry delay half-opens it, and a success closes it`() {
    for _ in 1...2 {
      breaker.fail(at: 0, retryAfter: nil, random: &random)
      #expect(breaker.state(at: 0) == .closed)
    }
    breaker.fail(at: 0, retryAfter: nil, random: &random)
    guard case .open(let until) = breaker.state(at: 0) else {
      Issue.record("not open")
      return
    }
    #expect(until >= 5 * Self.second && until <= 10 * Self.second)
    #expect(breaker.state(at: until) == .halfOpen)
    breaker.fail(at: until, retryAfter: nil, random: &random)
    #expect(breaker.state(at: until) != .halfOpen)
    breaker.succeed()
    #expect(breaker.state(at: until) == .closed)
  }

  @Test mutating func `a requested delay ends early only on request`() {
    breaker.fail(at: 0, retryAfter: 100 * Self.second, random: &random)
    #expect(breaker.state(at: 0) == .open(until: 100 * Self.second))
    let isShortened = breaker.shorten()
    let isReset = breaker.reset(at: 0, ignoringRetryAfter: false)
    #expect(!isShortened && !isReset && !breaker.isClosed)
    let isForced = breaker.reset(at: 0, ignoringRetryAfter: true)
    #expect(isForced && breaker.isClosed)
    breaker.fail(at: 0, retryAfter: 100 * Self.second, random: &random)
    let isEarly = breaker.reset(at: 100 * Self.second - 1, ignoringRetryAfter: false)
    let isDue = breaker.reset(at: 100 * Self.second, ignoringRetryAfter: false)
    #expect(!isEarly && isDue && breaker.isClosed)
  }
}
