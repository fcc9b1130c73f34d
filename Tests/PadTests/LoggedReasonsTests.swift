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
    var wasLogged: [Bool] = []
    for number in 0..<1000 { wasLogged.append(reasons.add("reason \(number)")) }
    #expect(wasLogged.allSatisfy { $0 })
    let last = reasons.add("reason 999")
    let first = reasons.add("reason 0")
    #expect(!last && first)
  }
}
