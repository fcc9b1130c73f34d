import Testing

@testable import Pad

@Suite struct BlankTimerTests {
  @Test func `the panel rests when nobody has touched it for so long`() {
    var timer = BlankTimer(after: 10, now: 100)
    #expect(timer.deadline == 110)
    let rested = [timer.shouldBlank(at: 109), timer.shouldBlank(at: 110)]
    #expect(rested == [false, true])
    #expect(timer.deadline == nil)
  }

  @Test func `a touch wakes it once, and is the beginning of the next rest`() {
    var timer = BlankTimer(after: 10, now: 0)
    _ = timer.shouldBlank(at: 10)
    let wakes = [timer.touched(at: 20), timer.touched(at: 21)]
    #expect(wakes == [true, false])
    #expect(timer.deadline == 31)
  }

  @Test func `a panel that never rests asks for nothing`() {
    var timer = BlankTimer(after: nil, now: 0)
    #expect(timer.deadline == nil)
    let rested = timer.shouldBlank(at: .max)
    #expect(!rested)
    let wakes = timer.touched(at: 5)
    #expect(!wakes)
  }

  @Test func `a panel that is lit again by its terminal is not woken by a touch`() {
    var timer = BlankTimer(after: 10, now: 0)
    _ = timer.shouldBlank(at: 10)
    timer.restart(at: 15)
    #expect(timer.deadline == 25)
    let wakes = timer.touched(at: 20)
    #expect(!wakes)
  }
}
