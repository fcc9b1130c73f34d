import Testing

@testable import Pad

@Suite struct BlankTimerTests {
  @Test func `the panel rests when nobody has touched it for so long`() {
    var rest = BlankTimer(after: 10, now: 100)
    #expect(rest.deadline == 110)
    let rested = [rest.shouldRest(at: 109), rest.shouldRest(at: 110)]
    #expect(rested == [false, true])
    #expect(rest.deadline == nil)
  }

  @Test func `a touch wakes it once, and is the beginning of the next rest`() {
    var rest = BlankTimer(after: 10, now: 0)
    _ = rest.shouldRest(at: 10)
    let wakes = [rest.touched(at: 20), rest.touched(at: 21)]
    #expect(wakes == [true, false])
    #expect(rest.deadline == 31)
  }

  @Test func `a panel that never rests asks for nothing`() {
    var rest = BlankTimer(after: nil, now: 0)
    #expect(rest.deadline == nil)
    let rested = rest.shouldRest(at: .max)
    #expect(!rested)
    let wakes = rest.touched(at: 5)
    #expect(!wakes)
  }

  @Test func `a panel that is lit again by its terminal is not woken by a touch`() {
    var rest = BlankTimer(after: 10, now: 0)
    _ = rest.shouldRest(at: 10)
    rest.isOver(at: 15)
    #expect(rest.deadline == 25)
    let wakes = rest.touched(at: 20)
    #expect(!wakes)
  }
}
