import Testing

@testable import Pad

@Suite struct PanelCheckTests {
  @Test func `a check is made once for each time that it was asked for`() {
    var check = PanelCheck()
    let before = check.take(isDrawing: false, at: 5)
    check.ask()
    let first = check.take(isDrawing: false, at: 5)
    let second = check.take(isDrawing: false, at: 5)
    #expect([before, first, second] == [false, true, false])
  }

  @Test func `while a hand draws it is put off, until that is over`() {
    var check = PanelCheck()
    check.ask()
    check.sampled(at: 100)
    let drawing = check.take(isDrawing: true, at: 101)
    let over = check.take(isDrawing: false, at: 102)
    #expect(!drawing && over)
  }

  @Test func `what only lies on the glass does not put it off for good`() {
    var check = PanelCheck()
    check.ask()
    check.sampled(at: 100)
    let early = check.take(isDrawing: true, at: 99 + PanelCheck.stillness)
    let late = check.take(isDrawing: true, at: 100 + PanelCheck.stillness)
    #expect(!early && late)
  }
}
