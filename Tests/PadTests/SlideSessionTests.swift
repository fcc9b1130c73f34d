import Configuration
import Control
import Ink
import Screen
import Testing

@testable import Pad

/// A session with pictures for the pad at rest.
@Suite struct SlideSessionTests {
  let second: Int64 = 1_000_000_000
  let middle = Point(40, 30)

  func session(invites: Bool) -> Session {
    var rules = SessionRules()
    rules.invites = invites
    return Session(resting: Scene(layout: Layout(width: 150, height: 90)), rules: rules)
  }

  @Test func `with pictures the stand-alone pad rests, and the first touch only brings up the pad`()
  {
    var session = session(invites: true)
    session.setSlides(available: true)
    _ = session.time(60 * second)
    #expect(session.viewState.page == .idle)
    #expect(session.down(Sample(time: 61 * second, position: middle)) == .none)
    #expect(session.viewState.page == .invitation && !session.viewState.isTooShort)
    #expect(session.move(Sample(time: 61 * second + 1, position: middle)) == .none)
    #expect(session.up() == .none)
    let next = Sample(time: 62 * second, position: middle)
    #expect(session.down(next) == .inkBegins(next))
  }

  @Test(arguments: [Button.done, .clear])
  func `a touch of a picture where a button will be brings up the pad`(_ button: Button) {
    var session = session(invites: true)
    session.setSlides(available: true)
    _ = session.time(60 * second)
    let position = Layout(width: 150, height: 90).area(of: button).centre
    #expect(session.down(Sample(time: 61 * second, position: position)) == .none)
    #expect(session.viewState.page == .invitation)
    #expect(session.up() == .none && session.viewState.page == .invitation)
  }

  @Test func `a touch of a notice where the request had a button begins the next signature`() {
    var session = session(invites: true)
    var options = LayoutOptions()
    options.buttons = .top
    let layout = Layout(
      width: 150, height: 90, parts: LayoutParts(cancel: true), options: options)
    session.show(
      TypesetRequest(
        request: PadRequest(.signature, number: 1), scene: Scene(number: 1, layout: layout)))
    _ = session.withdraw(1, at: second)
    #expect(session.viewState.page == .cancelled)
    let touch = Sample(time: second + 1, position: layout.done.centre)
    #expect(session.down(touch) == .inkBeginsAnew(touch))
  }

  @Test func `an invitation that nobody follows gives way to pictures, and ink does not`() {
    var session = session(invites: true)
    session.setSlides(available: true)
    _ = session.time(60 * second)
    _ = session.down(Sample(time: 61 * second, position: middle))
    #expect(session.deadline == nil)
    _ = session.up()
    #expect(session.deadline == 91 * second)
    _ = session.time(91 * second - 1)
    #expect(session.viewState.page == .invitation)
    _ = session.time(91 * second)
    #expect(session.viewState.page == .idle && session.deadline == nil)
    _ = session.down(Sample(time: 92 * second, position: middle))
    _ = session.up()
    _ = session.down(Sample(time: 93 * second, position: middle))
    _ = session.up()
    _ = session.time(1000 * second)
    #expect(session.viewState.page == .invitation && session.viewState.done == .normal)
  }

  @Test func `while the pad is invisible, an invitation does not give way to pictures`() {
    var session = session(invites: true)
    session.setSlides(available: true)
    _ = session.time(60 * second)
    _ = session.down(Sample(time: 61 * second, position: middle))
    _ = session.up()
    session.setVisible(false, at: 71 * second)
    #expect(session.deadline == nil)
    _ = session.time(1000 * second)
    #expect(session.viewState.page == .invitation)
    session.setVisible(true, at: 1001 * second)
    // 10 of the 30 seconds were over.
    #expect(session.deadline == 1021 * second)
  }

  @Test func `without pictures any more the stand-alone pad invites again`() {
    var session = session(invites: true)
    session.setSlides(available: true)
    _ = session.time(60 * second)
    session.setSlides(available: false)
    #expect(session.viewState.page == .invitation && session.deadline == nil)
    var idle = self.session(invites: false)
    idle.setSlides(available: true)
    idle.setSlides(available: false)
    #expect(idle.viewState.page == .idle)
  }

  @Test func `a pad that signs only on request stays at rest when it is touched`() {
    var session = session(invites: false)
    session.setSlides(available: true)
    #expect(session.down(Sample(time: second, position: middle)) == .none)
    #expect(session.viewState.page == .idle && session.deadline == nil)
  }

  @Test(arguments: [false, true])
  func `a request replaces the pictures, which return after it`(_ invites: Bool) {
    var session = session(invites: invites)
    session.setSlides(available: true)
    _ = session.time(60 * second)
    let layout = Layout(width: 150, height: 90, parts: LayoutParts(cancel: true))
    session.show(
      TypesetRequest(
        request: PadRequest(.signature, number: 1), scene: Scene(number: 1, layout: layout)))
    #expect(session.viewState.page == .invitation)
    _ = session.time(1000 * second)
    #expect(session.viewState.page == .invitation)
    _ = session.withdraw(1, at: 1001 * second)
    _ = session.time(2000 * second)
    #expect(session.viewState.page == .idle)
  }
}
