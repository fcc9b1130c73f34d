import Testing

@testable import Pad

@Suite struct BlankTimerTests {
  @Test func `the panel is blanked after the configured time without a touch`() {
    var timer = BlankTimer(after: 10, now: 100)
    #expect(timer.deadline == 110)
    let rested = [timer.shouldBlank(at: 109), timer.shouldBlank(at: 110)]
    #expect(rested == [false, true])
    #expect(timer.deadline == nil)
  }

  @Test func `a touch unblanks the panel once, and restarts the time`() {
    var timer = BlankTimer(after: 10, now: 0)
    _ = timer.shouldBlank(at: 10)
    let wakes = [timer.touched(at: 20), timer.touched(at: 21)]
    #expect(wakes == [true, false])
    #expect(timer.deadline == 31)
  }

  @Test func `without a time, the panel is never blanked`() {
    var timer = BlankTimer(after: nil, now: 0)
    #expect(timer.deadline == nil)
    let rested = timer.shouldBlank(at: .max)
    #expect(!rested)
    let wakes = timer.touched(at: 5)
    #expect(!wakes)
  }

  @Test func `after a return from another terminal, a touch does not unblank the panel again`() {
    var timer = BlankTimer(after: 10, now: 0)
    _ = timer.shouldBlank(at: 10)
    timer.restart(at: 15)
    #expect(timer.deadline == 25)
    let wakes = timer.touched(at: 20)
    #expect(!wakes)
  }
}
