import Testing

@testable import Pad

@Suite struct LoggedReasonsTests {
  @Test func `reasons that take turns are told once each`() {
    var reasons = LoggedReasons()
    let told = (0..<20).map { reasons.add($0.isMultiple(of: 2) ? "slow" : "crashed") }
    #expect(told.prefix(2) == [true, true] && !told.dropFirst(2).contains(true))
  }

  @Test func `endless new reasons take no endless memory, and are told`() {
    var reasons = LoggedReasons()
    for number in 0..<1000 { #expect(reasons.add("reason \(number)")) }
    #expect(!reasons.add("reason 999"))
    #expect(reasons.add("reason 0"))
  }
}
