import Ink
import Testing
import Touch

@testable import Pad

@Suite struct IdleRestTests {
  @Test func `the panel rests when nobody has touched it for so long`() {
    var rest = IdleRest(after: 10, now: 100)
    #expect(rest.deadline == 110)
    let rested = [rest.shouldRest(at: 109), rest.shouldRest(at: 110)]
    #expect(rested == [false, true])
    #expect(rest.deadline == nil)
  }

  /// What becomes of a contact.
  private func touch(
    _ rest: inout IdleRest, _ phase: GlassContact.Phase, _ number: Int32, at time: Int64,
    isAfterGap: Bool = false
  ) -> IdleRest.Meaning {
    let sample = Sample(time: time, position: .zero)
    return rest.touched(GlassContact(phase, sample, contact: number, isAfterGap: isAfterGap))
  }

  private let pad = IdleRest.Meaning(wakes: false, isForPad: true)
  private let wake = IdleRest.Meaning(wakes: true, isForPad: false)
  private let nothing = IdleRest.Meaning(wakes: false, isForPad: false)

  @Test func `the touch that wakes it does not draw, and the next one does`() {
    var rest = IdleRest(after: 10, now: 0)
    _ = rest.shouldRest(at: 10)
    let meanings = [
      touch(&rest, .down, 3, at: 20), touch(&rest, .move, 3, at: 21), touch(&rest, .up, 3, at: 22),
      touch(&rest, .down, 4, at: 23),
    ]
    #expect(meanings == [wake, nothing, nothing, pad])
    #expect(rest.deadline == 33)
  }

  @Test func `who comes down beside the touch that wakes it does not draw either`() {
    var rest = IdleRest(after: 10, now: 0)
    _ = rest.shouldRest(at: 10)
    let meanings = [
      touch(&rest, .down, 3, at: 20), touch(&rest, .down, 4, at: 20), touch(&rest, .up, 4, at: 21),
      touch(&rest, .down, 5, at: 22), touch(&rest, .cancel, 3, at: 23),
      touch(&rest, .down, 6, at: 24),
    ]
    #expect(meanings == [wake, nothing, nothing, nothing, nothing, pad])
  }

  @Test func `what lay there before goes on, and wakes it`() {
    var rest = IdleRest(after: 10, now: 0)
    _ = touch(&rest, .down, 3, at: 5)
    let rested = rest.shouldRest(at: 15)
    #expect(rested)
    let meanings = [
      touch(&rest, .move, 3, at: 20), touch(&rest, .down, 4, at: 21), touch(&rest, .up, 3, at: 22),
    ]
    #expect(meanings == [IdleRest.Meaning(wakes: true, isForPad: true), pad, pad])
  }

  @Test func `what lies there is heard while another touch wakes it`() {
    var rest = IdleRest(after: 10, now: 0)
    _ = touch(&rest, .down, 3, at: 5)
    _ = rest.shouldRest(at: 15)
    let meanings = [
      touch(&rest, .down, 4, at: 20), touch(&rest, .up, 3, at: 21), touch(&rest, .up, 4, at: 22),
      touch(&rest, .down, 5, at: 23),
    ]
    #expect(meanings == [wake, pad, nothing, pad])
  }

  @Test func `a touch whose end was lost is not let go for ever`() {
    var rest = IdleRest(after: 10, now: 0)
    _ = rest.shouldRest(at: 10)
    let meanings = [
      touch(&rest, .down, 3, at: 20), touch(&rest, .down, 4, at: 21, isAfterGap: true),
    ]
    #expect(meanings == [wake, pad])
  }

  @Test func `a panel that never rests asks for nothing`() {
    var rest = IdleRest(after: nil, now: 0)
    #expect(rest.deadline == nil)
    let rested = rest.shouldRest(at: .max)
    #expect(!rested)
    let meaning = touch(&rest, .down, 0, at: 5)
    #expect(meaning == pad)
  }

  @Test func `a panel that is lit again by its terminal draws with the first touch`() {
    var rest = IdleRest(after: 10, now: 0)
    _ = rest.shouldRest(at: 10)
    rest.isOver(at: 15)
    #expect(rest.deadline == 25)
    let meaning = touch(&rest, .down, 0, at: 20)
    #expect(meaning == pad)
  }
}
