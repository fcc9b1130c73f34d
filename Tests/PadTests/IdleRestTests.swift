import Testing

@testable import Pad

@Suite struct IdleRestTests {
  @Test func `the panel rests when nobody has touched it for so long`() {
    var rest = IdleRest(after: 10, now: 100)
    #expect(rest.deadline == 110)
    let rested = [rest.shouldRest(at: 109), rest.shouldRest(at: 110)]
    #expect(rested == [false, true])
    #expect(rest.deadline == nil)
  }

  @Test func `the touch that wakes it does not draw, and the next one does`() {
    var rest = IdleRest(after: 10, now: 0)
    _ = rest.shouldRest(at: 10)
    let meanings = [
      rest.touched(at: 20, ends: false), rest.touched(at: 21, ends: false),
      rest.touched(at: 22, ends: true), rest.touched(at: 23, ends: false),
    ]
    #expect(meanings == [.wake, .nothing, .nothing, .pad])
    #expect(rest.deadline == 33)
  }

  @Test func `a panel that never rests asks for nothing`() {
    var rest = IdleRest(after: nil, now: 0)
    #expect(rest.deadline == nil)
    let rested = rest.shouldRest(at: .max)
    #expect(!rested)
    let meaning = rest.touched(at: 5, ends: false)
    #expect(meaning == .pad)
  }

  @Test func `a panel that is lit again by its terminal draws with the first touch`() {
    var rest = IdleRest(after: 10, now: 0)
    _ = rest.shouldRest(at: 10)
    rest.isOver(at: 15)
    #expect(rest.deadline == 25)
    let meaning = rest.touched(at: 20, ends: false)
    #expect(meaning == .pad)
  }
}
