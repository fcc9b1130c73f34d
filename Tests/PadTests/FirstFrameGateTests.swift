import Testing

@testable import Pad

@Suite struct FirstFrameGateTests {
  private func isShown(_ first: FirstFrameGate, at now: Int64) -> Bool {
    var first = first
    return first.mayBeShown(at: now)
  }

  @Test func `the first frame is shown when its words are typeset`() {
    var first = FirstFrameGate(now: 7)
    #expect(!isShown(first, at: 8) && !first.isOver)
    first.hasWords()
    #expect(first.deadline == nil && first.isOver)
    #expect(isShown(first, at: 8))
  }

  @Test func `after half a second, the first frame is shown without words`() {
    var first = FirstFrameGate(now: 7)
    #expect(first.deadline == 500_000_007)
    #expect(!isShown(first, at: 500_000_006))
    let isAtLast = first.mayBeShown(at: 500_000_007)
    #expect(isAtLast)
    #expect(first.deadline == nil)
  }

  @Test func `only one picture is the first`() {
    var first = FirstFrameGate(now: 0)
    let shown = (0..<3).map { _ in first.isShownFirst() }
    #expect(shown == [true, false, false])
  }
}
