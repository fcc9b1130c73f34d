import Testing

@testable import Pad

@Suite struct TerminalHandoverTests {
  @Test func `the console is released only after the touchscreen`() {
    var handover = TerminalHandover()
    handover.touchAsked()
    let early = handover.panelReleased(at: 5)
    let late = handover.touchAnswered()
    #expect(!early && late)
  }

  @Test func `a released touchscreen causes no wait`() {
    var handover = TerminalHandover()
    handover.touchAsked()
    let answer = handover.touchAnswered()
    let left = handover.panelReleased(at: 5)
    #expect(!answer && left)
  }

  @Test func `without an input thread the console is released at once`() {
    var handover = TerminalHandover()
    let left = handover.panelReleased(at: 5)
    #expect(left)
  }

  @Test func `an answer to an earlier message does not count`() {
    var handover = TerminalHandover()
    handover.touchAsked()
    handover.touchAsked()
    let left = handover.panelReleased(at: 5)
    let grabbed = handover.touchAnswered()
    let released = handover.touchAnswered()
    let more = handover.touchAnswered()
    #expect([left, grabbed, released, more] == [false, false, true, false])
  }

  @Test func `the wait for an unresponsive touchscreen ends after a second`() {
    var handover = TerminalHandover()
    handover.touchAsked()
    let left = handover.panelReleased(at: 5)
    #expect(!left && handover.deadline == 5 + TerminalHandover.limit)
    let early = handover.time(4 + TerminalHandover.limit)
    let late = handover.time(5 + TerminalHandover.limit)
    let again = handover.time(6 + TerminalHandover.limit)
    #expect([early, late, again] == [false, true, false])
    let answer = handover.touchAnswered()
    #expect(!answer && handover.deadline == nil)
  }
}
