import Testing

@testable import Control

@Suite struct LogLimitTests {
  @Test func `five lines a minute are logged, and the others counted`() {
    let second: Int64 = 1_000_000_000
    var limit = LogLimit()
    let logged = (0..<8).map { limit.lines("\($0)", at: $0 * second) }
    #expect(logged == (0..<8).map { $0 < 5 ? ["\($0)"] : [] })
    #expect(limit.lines("late", at: 60 * second - 1).isEmpty)
    #expect(
      limit.lines("new", at: 60 * second) == ["control: suppressed 4 similar lines", "new"])
    #expect(limit.lines("newer", at: 61 * second) == ["newer"])
    #expect(limit.lines("newest", at: 200 * second) == ["newest"])
  }

  @Test func `the limit holds however long the machine has run`() {
    let second: Int64 = 1_000_000_000
    var limit = LogLimit()
    let logged = (0..<8).map { limit.lines("\($0)", at: (100_000 + $0) * second) }
    #expect(logged == (0..<8).map { $0 < 5 ? ["\($0)"] : [] })
  }
}
