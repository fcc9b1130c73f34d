import Control
import Ink
import Screen
import SyntheticHand
import Testing

@testable import Pad

@Suite struct SessionTests {
  let layout = Layout(width: 150, height: 90)
  func sample(_ point: Point, _ time: Int64 = 0) -> Sample { Sample(time: time, position: point) }
  var paper: Sample { sample(Point(40, 30)) }

  func signed() -> Session {
    var session = Session(resting: Scene(layout: layout))
    _ = session.down(paper)
    _ = session.up()
    return session
  }

  /// Ink is abandoned 120 seconds after the last touch.
  private func abandoning() -> Session {
    var rules = SessionRules()
    rules.abandonment = 120_000_000_000
    return Session(resting: Scene(layout: layout), rules: rules)
  }

  func press(_ button: Button, _ session: inout Session) -> SessionAction {
    _ = session.down(sample(layout.area(of: button).centre))
    return session.up()
  }

  @Test func `nobody signs before the first service, and none signs without it`() {
    for available in [true, false] {
      var session = Session(resting: Scene(layout: layout))
      session.awaitService()
      #expect(session.down(paper) == .none)
      _ = session.up()
      _ = session.service(available: available)
      #expect(session.down(paper) == (available ? .inkBegins(paper) : .none))
    }
  }

  @Test func `a finger on the paper draws until it leaves`() {
    var session = Session(resting: Scene(layout: layout))
    #expect(session.down(paper) == .inkBegins(paper))
    #expect(session.move(paper) == .inkGoesOn(paper))
    #expect(session.up() == .inkEnds)
  }

  @Test func `a client presses the buttons that a person could press`() {
    var session = Session(resting: Scene(layout: layout))
    #expect(session.press(.done, at: 1) == .none)
    #expect(session.press(.clear, at: 1) == .none)
    _ = session.down(paper)
    // The finger is still down: what it draws now is ignored.
    #expect(session.press(.clear, at: 2) == .wipe)
    #expect(session.move(paper) == .none)
    #expect(session.up() == .none)
    _ = session.down(paper)
    #expect(session.press(.done, at: 3) == .save)
    #expect(session.move(paper) == .none)
    #expect(session.press(.done, at: 4) == .none)
  }

  @Test func `the eye is shown while clients watch`() {
    var session = signed()
    #expect(!session.viewState.isMirrored)
    session.setMirrored(true)
    #expect(session.viewState.isMirrored)
    session.setMirrored(false)
    #expect(!session.viewState.isMirrored)
  }

  @Test func `a finger that rests for long touches the pad until it is lifted`() {
    var session = abandoning()
    _ = session.down(paper)
    #expect(session.up(at: 119_000_000_000) == .inkEnds)
    #expect(session.time(121_000_000_000) == .none)
    #expect(session.time(239_000_000_000) == .wipe)
  }

  @Test func `a finger that rests for long touches the pad until its touchscreen is unplugged`() {
    var session = abandoning()
    _ = session.down(paper)
    #expect(session.cancel(at: 119_000_000_000) == .inkEnds)
    #expect(session.time(121_000_000_000) == .none)
    #expect(session.time(239_000_000_000) == .wipe)
  }

  @Test func `a finger that writes touches the pad with every movement`() {
    var session = abandoning()
    _ = session.down(paper)
    _ = session.move(sample(paper.position, 119_000_000_000))
    #expect(session.up() == .inkEnds)
    #expect(session.time(121_000_000_000) == .none)
    #expect(session.time(239_000_000_000) == .wipe)
  }

  /// *Done* was pressed, and the signature could not be saved.
  private func unsaved() -> Session {
    var session = abandoning()
    _ = session.down(paper)
    _ = session.up()
    #expect(press(.done, &session) == .save)
    #expect(session.notSaved() == .none)
    #expect(session.viewState.page == .outOfService)
    return session
  }

  @Test func `ink that could not be saved stays when service is back, however late`() {
    var session = unsaved()
    // A tap on the notice.
    _ = session.down(sample(Point(40, 30), 1))
    _ = session.up()
    #expect(session.time(300_000_000_000) == .none)
    #expect(session.service(available: true) == .none)
    #expect(session.time(300_000_000_000) == .none)
    #expect(session.time(421_000_000_000) == .none)
    #expect(session.deadline == nil)
    #expect(press(.done, &session) == .save)
  }

  @Test func `unsaved ink is abandoned after somebody continued it`() {
    var session = unsaved()
    _ = session.service(available: true)
    _ = session.down(sample(Point(40, 30), 200_000_000_000))
    _ = session.up()
    #expect(session.time(319_000_000_000) == .none)
    #expect(session.time(320_000_000_000) == .wipe)
    // The next one's ink is as every other.
    _ = session.down(sample(Point(40, 30), 330_000_000_000))
    _ = session.up()
    #expect(session.time(450_000_000_000) == .wipe)
  }

  @Test func `ink is not abandoned while the pad is invisible, and the time continues afterwards`()
  {
    var rules = SessionRules()
    rules.invites = true
    rules.abandonment = 120_000_000_000
    var session = Session(resting: Scene(layout: layout), rules: rules)
    _ = session.down(sample(Point(40, 30), 1_000_000_000))
    _ = session.up()
    session.setVisible(true, at: 50_000_000_000)
    session.setVisible(false, at: 101_000_000_000)
    session.setVisible(false, at: 110_000_000_000)
    #expect(session.time(900_000_000_000) == .none)
    #expect(session.deadline == nil)
    session.setVisible(true, at: 1_000_000_000_000)
    // 100 of the 120 seconds were over.
    #expect(session.deadline == 1_020_000_000_000)
    #expect(session.time(1_019_000_000_000) == .none)
    #expect(session.time(1_020_000_000_000) == .wipe)
  }

  @Test func `an empty pad cannot be sent or wiped`() {
    var session = Session(resting: Scene(layout: layout))
    #expect(press(.done, &session) == .none)
    #expect(press(.clear, &session) == .none)
    #expect(session.viewState.done == .disabled)
  }

  @Test func `done saves what was signed, and only once`() {
    var session = signed()
    #expect(press(.done, &session) == .save)
    #expect(press(.done, &session) == .none)
  }

  @Test func `clear wipes and the pad is clean again`() {
    var session = signed()
    #expect(press(.clear, &session) == .wipe)
    #expect(session.viewState == Session(resting: Scene(layout: layout)).viewState)
  }

  @Test func `a button acts only when released inside it`() {
    var session = signed()
    _ = session.down(sample(layout.done.centre))
    #expect(session.viewState.done == .pressed)
    _ = session.move(paper)
    #expect(session.viewState.done == .normal)
    #expect(session.up() == .none)
    _ = session.down(sample(layout.done.centre))
    _ = session.move(paper)
    _ = session.move(sample(layout.done.centre))
    #expect(session.up() == .save)
  }

  @Test func `a stroke that runs over a button stays ink`() {
    var session = Session(resting: Scene(layout: layout))
    _ = session.down(paper)
    let over = sample(layout.done.centre)
    #expect(session.move(over) == .inkGoesOn(over))
    #expect(session.up() == .inkEnds)
  }

  @Test func `a cancelled contact keeps its ink and lets go of a button`() {
    var session = Session(resting: Scene(layout: layout))
    _ = session.down(paper)
    #expect(session.cancel() == .inkEnds)
    _ = session.down(sample(layout.done.centre))
    #expect(session.cancel() == .none)
    #expect(session.viewState.done == .normal)
  }

  @Test func `a mistaken contact leaves the pad clean`() {
    var session = Session(resting: Scene(layout: layout))
    _ = session.down(paper)
    #expect(session.cancel(isMistake: true) == .inkTakenBack)
    #expect(session.viewState == Session(resting: Scene(layout: layout)).viewState)
    var begun = signed()
    _ = begun.down(paper)
    #expect(begun.cancel(isMistake: true) == .inkTakenBack)
    #expect(press(.done, &begun) == .save)
  }

  @Test func `a signature is acknowledged only after it was saved`() {
    var session = signed()
    _ = press(.done, &session)
    #expect(session.viewState.page == .invitation)
    _ = session.saved(at: 1000)
    #expect(session.viewState.page == .saved)
  }

  @Test func `the next signature can begin during the acknowledgement`() {
    var session = signed()
    _ = press(.done, &session)
    #expect(session.down(paper) == .none)
    _ = session.up()
    _ = session.saved(at: 1000)
    #expect(press(.done, &session) == .none)
    #expect(session.down(paper) == .inkBeginsAnew(paper))
    #expect(session.viewState.page == .invitation && session.viewState.done == .normal)
    #expect(session.up() == .inkEnds)
    #expect(session.time(1000 + SessionRules().acknowledgement) == .none)
    #expect(press(.done, &session) == .save)
  }

  @Test func `a contact that begins during the saving has no effect until it is lifted`() {
    for lifted in [false, true] {
      var session = signed()
      _ = press(.done, &session)
      #expect(session.down(paper) == .none)
      #expect(session.move(paper) == .none)
      _ = session.saved(at: 1000)
      #expect(session.viewState.page == .saved)
      #expect(session.move(paper) == .none)
      if lifted {
        #expect(session.up() == .none)
        #expect(session.down(paper) == .inkBeginsAnew(paper))
        continue
      }
      // It rests there until the pad is clean, and then still is no ink.
      #expect(session.time(1000 + SessionRules().acknowledgement) == .wipe)
      #expect(session.move(paper) == .none)
      #expect(session.up() == .none)
      #expect(session.down(paper) == .inkBegins(paper))
    }
  }

  @Test func `after the acknowledgement the pad is clean`() throws {
    var session = signed()
    _ = press(.done, &session)
    _ = session.saved(at: 1000)
    let deadline = try #require(session.deadline)
    #expect(deadline == 1000 + SessionRules().acknowledgement)
    #expect(session.time(deadline - 1) == .none)
    #expect(session.time(deadline) == .wipe)
    #expect(session.viewState == Session(resting: Scene(layout: layout)).viewState)
    #expect(session.deadline == nil)
  }

  @Test func `a signature that was not saved stays and can be sent again`() {
    var session = signed()
    _ = press(.done, &session)
    _ = session.notSaved()
    #expect(session.viewState.page == .outOfService)
    #expect(session.down(paper) == .none)
    _ = session.up()
    _ = session.service(available: true)
    #expect(press(.done, &session) == .save)
  }

  @Test func `out of service, nobody can begin to sign, but a begun signature can continue`() {
    var session = Session(resting: Scene(layout: layout))
    _ = session.service(available: false)
    #expect(session.down(paper) == .none)
    _ = session.service(available: true)
    #expect(session.viewState.page == .invitation && !session.viewState.isTooShort)
    var begun = signed()
    _ = begun.service(available: false)
    #expect(begun.down(paper) == .inkBegins(paper))
  }

  @Test func `a second finger does nothing while the first one draws`() {
    var session = Session(resting: Scene(layout: layout))
    _ = session.down(paper)
    #expect(session.down(sample(layout.done.centre)) == .none)
    #expect(session.up() == .inkEnds)
  }

  /// Ink that begins ends, saving comes after ink, and the machine always finds back to a clean pad.
  @Test(arguments: 1...20) func `a random walk keeps the invariants`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var session = Session(resting: Scene(layout: layout))
    var (inking, hasInk, saving) = (false, false, false)
    var now: Int64 = 0
    for _ in 0..<2000 {
      now += 100_000_000
      let point = Point(
        Float(random.next() % 150), Float(random.next() % 90))
      let action: SessionAction =
        switch random.next() % 8 {
        case 0, 1: session.down(sample(point))
        case 2, 3: session.move(sample(point))
        case 4: session.up()
        case 5: session.cancel(isMistake: random.next() % 2 == 0)
        case 6: saving ? session.saved(at: now) : session.time(now)
        default: random.next() % 9 == 0 ? session.notSaved() : session.service(available: true)
        }
      if session.viewState.page != .invitation { saving = false }
      switch action {
      case .inkBegins:
        #expect(!inking && !saving)
        (inking, hasInk) = (true, true)
      case .inkBeginsAnew:
        #expect(!inking && hasInk && !saving)
        inking = true
      case .inkGoesOn: #expect(inking)
      case .inkEnds:
        #expect(inking)
        inking = false
      case .inkTakenBack:
        #expect(inking)
        inking = false
      case .wipe:
        #expect(hasInk && !inking)
        hasInk = false
      case .save:
        #expect(hasInk && !inking)
        saving = true
      case .none: break
      }
    }
  }

  @Test func `ink that is wiped before the first service leaves nothing to send`() {
    var session = Session(resting: Scene(layout: layout))
    session.awaitService()
    #expect(session.restore(strokes: 1, isDone: false, at: 0) == .none)
    #expect(press(.clear, &session) == .wipe)
    #expect(session.viewState.page == .outOfService)
    _ = session.service(available: true)
    #expect(session.viewState.page == .invitation)
    #expect(press(.done, &session) == .none)
  }

  @Test func `a button that a finger is on does not act after an interruption of service`() {
    let layout = Layout(width: 150, height: 90, parts: LayoutParts(cancel: true))
    var session = Session(resting: Scene(layout: self.layout))
    session.show(
      TypesetRequest(
        request: PadRequest(.signature, number: 1), scene: Scene(number: 1, layout: layout)))
    _ = session.down(sample(layout.area(of: .cancel).centre))
    _ = session.service(available: false)
    _ = session.service(available: true)
    #expect(session.up() == .none && session.viewState.page == .invitation)
  }

  @Test func `a button that a finger is on does not act after its panel was replaced`() {
    var session = signed()
    _ = session.down(sample(layout.area(of: .done).centre))
    session.replaceScenes(resting: Scene(layout: layout)) { _ in nil }
    #expect(session.up() == .none)
    #expect(press(.done, &session) == .save)
  }
}
