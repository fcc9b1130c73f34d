import Control
import Ink
import Screen
import Testing

@testable import Pad

/// Messages and questions of programs.
extension SessionRequestTests {
  @Test func `a message without a time stays until its program or its button ends it`() {
    var session = session()
    _ = session.open(message(), at: 0)
    #expect(session.deadline == nil)
    #expect(session.time(1000 * second) == .none && session.viewState.page == .message)
    _ = session.withdraw(7, at: 1000 * second)
    #expect(session.viewState.page == .idle)
  }

  @Test func `a message ends by its button, its time limit or its client`() {
    for way in 0..<3 {
      var session = session()
      _ = session.open(message(limit: 5 * second), at: 0)
      #expect(session.viewState.page == .message && session.viewState.understood == .normal)
      #expect(ink(&session) == .none)
      switch way {
      case 0:
        _ = session.down(Sample(time: 1, position: telling.area(of: .understood).centre))
        _ = session.up()
      case 1: _ = session.time(5 * second)
      default: _ = session.withdraw(7, at: 1)
      }
      #expect(session.viewState.page == .idle)
      #expect(
        told(&session).contains(
          .messageGone(7, acknowledged: way == 0, by: way == 2 ? .program : nil)))
    }
  }

  @Test(arguments: [false, true])
  func `a question ends by a choice, its time limit or its client`(_ invites: Bool) {
    let ends: [ControlEvent] = [
      .answered(5, choice: 1), .timedOut(5), .cancelled(5, by: .program),
    ]
    for (way, end) in ends.enumerated() {
      var session = session(invites: invites)
      _ = session.open(question(limit: 5 * second), at: 0)
      #expect(session.viewState.page == .question && session.viewState.secondsLeft == 5)
      #expect(ink(&session) == .none)
      switch way {
      case 0:
        let middle = choosing.area(of: .choice(1)).centre
        _ = session.down(Sample(time: 1, position: middle))
        #expect(session.viewState.state(of: .choice(1)) == .pressed)
        #expect(session.viewState.state(of: .choice(0)) == .normal)
        // Nothing is answered before the finger leaves the button, or outside of it.
        #expect(told(&session) == [.state(.question, request: 5, deadline: 5 * second)])
        _ = session.up()
      case 1: _ = session.time(5 * second)
      default: _ = session.withdraw(5, at: 1)
      }
      #expect(told(&session).contains(end))
      if way > 0 {
        #expect(session.viewState.page == (way == 1 ? .timedOut : .cancelled))
        _ = session.time(20 * second)
      }
      #expect(session.viewState.page == (invites ? .invitation : .idle))
      #expect(session.viewState.request == nil)
    }
  }

  @Test func `a finger that leaves a choice answers nothing`() {
    var session = session()
    _ = session.open(question(), at: 0)
    _ = session.down(Sample(time: 1, position: choosing.area(of: .choice(0)).centre))
    _ = session.move(Sample(time: 2, position: choosing.area(of: .choice(2)).centre))
    #expect(session.viewState.state(of: .choice(0)) == .normal)
    _ = session.up()
    #expect(session.viewState.page == .question && session.deadline == nil)
  }

  @Test func `a question waits behind a notice, is asked without service, and keeps others out`() {
    var session = session()
    _ = session.open(asked(), at: 0)
    _ = session.withdraw(1, at: 0)
    _ = session.open(question(), at: second)
    #expect(session.viewState.page == .cancelled)
    _ = session.time(SessionRules().notice)
    #expect(session.viewState.page == .question)
    _ = session.open(asked(9), at: 3 * second)
    #expect(told(&session).last == .refused(9, .busy))
    _ = session.service(available: false)
    #expect(session.viewState.page == .question)
    _ = session.withdraw(5, at: 4 * second)
    _ = session.time(10 * second)
    #expect(session.viewState.page == .outOfService)
    _ = session.open(question(6), at: 11 * second)
    #expect(session.viewState.page == .question)
  }

  func question(_ number: Int64) -> TypesetRequest { question(limit: nil, number) }

  @Test func `a client cannot press a choice, nor Done on a question`() {
    var session = session()
    _ = session.open(question(), at: 0)
    #expect(session.press(.done, at: 1) == .none && session.press(.clear, at: 1) == .none)
    #expect(session.viewState.page == .question)
  }
}
