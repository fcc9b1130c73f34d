import Control
import Ink
import Screen
import SyntheticHand
import Testing

@testable import Pad

/// Requests of programs, time-outs, and the pad at rest.
@Suite struct SessionRequestTests {
  static let second: Int64 = 1_000_000_000
  let second = Self.second
  let resting = Layout(width: 150, height: 90, parts: LayoutParts(undo: true))
  let asking = Layout(
    width: 150, height: 90, parts: LayoutParts(undo: true, cancel: true, countdown: true))
  let telling = Layout(width: 150, height: 90, parts: LayoutParts(message: .understood))

  let choosing: Layout = {
    var parts = LayoutParts(countdown: true, message: .none)
    parts.choices = ChoiceGrid(count: 3, columns: 3)
    return Layout(width: 150, height: 90, parts: parts)
  }()

  func session(invites: Bool = false, abandonment: Int64? = nil) -> Session {
    var rules = SessionRules()
    rules.invites = invites
    rules.abandonment = abandonment
    return Session(resting: Scene(layout: resting), rules: rules)
  }

  func asked(limit: Int64? = nil, _ number: Int64 = 1) -> TypesetRequest {
    request(.signature, number, limit: limit, asking)
  }

  func message(limit: Int64? = nil, _ number: Int64 = 7) -> TypesetRequest {
    request(.message, number, limit: limit, telling)
  }

  func question(limit: Int64? = nil, _ number: Int64 = 5) -> TypesetRequest {
    request(.question, number, limit: limit, choosing)
  }

  private func request(
    _ kind: PadRequest.Kind, _ number: Int64, limit: Int64?, _ layout: Layout
  ) -> TypesetRequest {
    var request = PadRequest(kind, number: number)
    request.timeLimit = limit
    return TypesetRequest(request: request, scene: Scene(number: number, layout: layout))
  }

  func ink(_ session: inout Session, at time: Int64 = 0) -> SessionAction {
    let action = session.down(Sample(time: time, position: Point(40, 30)))
    _ = session.up()
    return action
  }

  func press(_ button: Button, _ session: inout Session, at time: Int64 = 0) -> SessionAction {
    _ = session.down(Sample(time: time, position: asking.area(of: button).centre))
    return session.up()
  }

  func told(_ session: inout Session) -> [ControlEvent] {
    var events: [ControlEvent] = []
    session.report { events.append($0) }
    return events
  }

  @Test func `without a request, nobody can sign unless the pad invites everybody`() {
    var idle = session()
    #expect(idle.viewState.page == .idle)
    #expect(ink(&idle) == .none)
    var standing = session(invites: true)
    #expect(standing.viewState.page == .invitation)
    #expect(ink(&standing) != .none)
  }

  @Test func `each step of a request is reported until it is saved`() {
    var session = session()
    _ = session.open(asked(limit: 60 * second), at: second)
    #expect(session.viewState.request == 1 && session.viewState.secondsLeft == 60)
    #expect(session.viewState.cancel == .normal && session.viewState.done == .disabled)
    _ = ink(&session, at: 2 * second)
    #expect(press(.done, &session, at: 3 * second) == .save)
    #expect(session.viewState.isSaving && session.viewState.secondsLeft == nil)
    _ = session.saved(at: 4 * second)
    #expect(session.viewState.page == .saved && session.viewState.request == 1)
    #expect(session.time(4 * second + SessionRules().acknowledgement) == .wipe)
    #expect(session.viewState.page == .idle && session.viewState.request == nil)
    let limit = 61 * second
    #expect(
      told(&session) == [
        .state(.invited, request: 1, deadline: limit),
        .state(.signing, request: 1, deadline: limit),
        .state(.confirming, request: 1, deadline: limit),
        .state(.idle, request: nil, deadline: nil),
      ])
  }

  @Test func `Cancel on the glass ends the request and wipes the ink`() {
    var session = session()
    _ = session.open(asked(), at: 0)
    _ = ink(&session)
    #expect(press(.cancel, &session, at: second) == .wipe)
    #expect(session.viewState.page == .cancelled)
    #expect(told(&session).last == .cancelled(1, by: .person))
    #expect(session.deadline == second + SessionRules().notice)
    #expect(session.time(second + SessionRules().notice) == .none)
    #expect(session.viewState.page == .idle)
  }

  @Test func `a client can cancel until the signature is sent`() {
    var session = session()
    _ = session.open(asked(), at: 0)
    _ = ink(&session)
    #expect(session.withdraw(2, at: 0) == .none)
    #expect(session.withdraw(1, at: 0) == .wipe)
    #expect(told(&session).last == .cancelled(1, by: .program))
    _ = session.time(10 * second)
    #expect(session.viewState.page == .idle)
  }

  @Test func `a client can cancel as long as there is no ink`() {
    for (strokes, page) in [(0, ViewState.Page.cancelled), (1, .invitation), (2, .invitation)] {
      var session = session()
      _ = session.open(asked(), at: 0)
      for _ in 0..<strokes { _ = ink(&session) }
      _ = told(&session)
      #expect(session.withdrawWithoutInk(2, for: 9, at: 0) == .none)
      #expect(told(&session) == [])
      #expect(session.withdrawWithoutInk(1, for: 9, at: 0) == .none)
      #expect(session.viewState.page == page)
      #expect(
        told(&session) == [
          strokes > 0 ? .inkStays(1, client: 9) : .cancelled(1, by: .program)
        ])
    }
  }

  @Test func `ink that is being saved does not end with a client that cancels without ink`() {
    var session = session()
    _ = session.open(asked(), at: 0)
    _ = ink(&session)
    _ = press(.done, &session)
    _ = told(&session)
    #expect(session.withdrawWithoutInk(1, for: 9, at: 0) == .none)
    #expect(told(&session) == [.inkStays(1, client: 9)])
    // Unlike after `withdraw`.
    #expect(session.notSaved() == .none)
    #expect(session.viewState.page == .outOfService)
  }

  @Test func `a request that waits behind a saved signature is cancelled without its ink`() {
    var session = session()
    _ = session.open(asked(), at: 0)
    _ = ink(&session)
    _ = press(.done, &session)
    _ = session.saved(at: second)
    _ = session.open(asked(limit: nil, 2), at: second)
    _ = told(&session)
    #expect(session.withdrawWithoutInk(2, for: 9, at: second) == .none)
    #expect(told(&session) == [.cancelled(2, by: .program)])
    #expect(session.viewState.page == .saved)
  }

  @Test func `a signature that is being saved is saved despite a cancellation or time-out`() {
    var session = session()
    _ = session.open(asked(limit: 2 * second), at: 0)
    _ = ink(&session)
    _ = press(.done, &session)
    #expect(session.withdraw(1, at: second) == .none)
    #expect(session.time(10 * second) == .none)
    _ = session.saved(at: 11 * second)
    #expect(session.viewState.page == .saved)
  }

  @Test func `a request that was cancelled during a failed save is cancelled`() {
    for isWithdrawn in [true, false] {
      var session = session()
      _ = session.open(asked(), at: 0)
      _ = ink(&session)
      _ = press(.done, &session)
      if isWithdrawn { _ = session.withdraw(1, at: second) }
      #expect(session.viewState.isSaving)
      #expect(session.notSaved() == (isWithdrawn ? .wipe : .none))
      #expect(session.viewState.page == (isWithdrawn ? .cancelled : .outOfService))
      #expect(told(&session).contains(.cancelled(1, by: .program)) == isWithdrawn)
    }
  }

  /// *Done* was pressed within the limit of 5 s, saving failed, and the limit is over.
  private func unsaved() -> Session {
    var session = session(abandonment: 60 * second)
    _ = session.open(asked(limit: 5 * second), at: 0)
    _ = ink(&session, at: second)
    #expect(press(.done, &session, at: 2 * second) == .save)
    _ = session.service(available: false)
    #expect(session.notSaved() == .none)
    #expect(session.time(100 * second) == .none)
    return session
  }

  @Test func `a signature that could not be saved outlives the time limit of its request`() {
    var session = unsaved()
    #expect(session.viewState.page == .outOfService && session.deadline == nil)
    #expect(session.viewState.secondsLeft == nil)
    _ = session.service(available: true)
    #expect(session.time(1000 * second) == .none)
    #expect(session.viewState.page == .invitation && session.viewState.done == .normal)
    #expect(press(.done, &session, at: 1001 * second) == .save)
    #expect(session.notSaved() == .none)
    #expect(session.time(2000 * second) == .none)
    #expect(!told(&session).contains(.timedOut(1)))
  }

  @Test func `a client that goes on after a failure learns of the new time limit`() {
    var session = session(abandonment: 60 * second)
    _ = session.open(asked(limit: 5 * second), at: 0)
    for time in 1...2 as ClosedRange<Int64> { _ = ink(&session, at: time * second) }
    #expect(press(.done, &session, at: 3 * second) == .save)
    _ = session.service(available: false)
    #expect(session.notSaved() == .none)
    _ = session.service(available: true)
    _ = told(&session)
    #expect(session.press(.undo, at: 100 * second) == .inkTakenBack)
    #expect(told(&session) == [.state(.signing, request: 1, deadline: 105 * second)])
  }

  @Test func `the time limit counts anew from the first touch after a failure`() {
    for isClient in [false, true] {
      var session = unsaved()
      _ = session.service(available: true)
      _ = told(&session)
      if isClient {
        #expect(session.press(.undo, at: 1000 * second) == .inkTakenBack)
        #expect(session.viewState.secondsLeft == 5)
      } else {
        _ = ink(&session, at: 1000 * second)
        let limit = 1005 * second
        #expect(told(&session) == [.state(.signing, request: 1, deadline: limit)])
      }
      #expect(session.time(1005 * second - 1) == .none)
      #expect(session.time(1005 * second) == (isClient ? .none : .wipe))
      #expect(session.viewState.page == .timedOut)
    }
  }

  @Test func `a request whose signature could not be saved can be withdrawn`() {
    var session = unsaved()
    #expect(session.withdraw(1, at: 101 * second) == .wipe)
    #expect(session.viewState.page == .cancelled)
  }

  @Test func `the time limit ends a request, in the middle of a stroke too`() {
    var session = session()
    _ = session.open(asked(limit: 2 * second), at: 0)
    _ = session.down(Sample(time: second, position: Point(40, 30)))
    #expect(session.deadline == 2 * second)
    #expect(session.time(2 * second - 1) == .none)
    #expect(session.viewState.secondsLeft == 1)
    #expect(session.time(2 * second) == .wipe)
    #expect(session.viewState.page == .timedOut)
    #expect(told(&session).last == .timedOut(1))
    // The finger that is still there draws no more.
    #expect(session.move(Sample(time: 2 * second, position: Point(50, 30))) == .none)
    #expect(session.up() == .none)
  }

  @Test func `the countdown needs a deadline every second`() {
    var session = session()
    _ = session.open(asked(limit: 3 * second), at: 0)
    var seen: [Int?] = []
    while let deadline = session.deadline, session.viewState.page == .invitation {
      seen.append(session.viewState.secondsLeft)
      _ = session.time(deadline)
    }
    #expect(seen == [3, 2, 1])
  }

  @Test func `a second request is refused, and one during a notice waits for its end`() {
    var session = session()
    _ = session.open(asked(), at: 0)
    _ = session.open(asked(2), at: 0)
    _ = session.withdraw(1, at: 0)
    _ = session.open(asked(3), at: 0)
    _ = session.open(asked(4), at: 0)
    #expect(
      told(&session) == [
        .state(.invited, request: 1, deadline: nil), .refused(2, .busy),
        .cancelled(1, by: .program),
        .refused(4, .busy),
      ])
    #expect(session.requests.waiting?.number == 3)
    _ = session.time(10 * second)
    #expect(session.viewState.request == 3 && session.viewState.page == .invitation)
  }

  func asked(_ number: Int64) -> TypesetRequest { asked(limit: nil, number) }

  @Test func `a request does not disturb a person who signs without one`() {
    var session = session(invites: true)
    _ = ink(&session)
    _ = session.open(asked(), at: 0)
    #expect(told(&session).last == .refused(1, .busy))
    #expect(press(.done, &session) == .save)
    #expect(session.viewState.request == nil)
  }

  @Test func `ink that is abandoned is wiped, and the request stays`() {
    var session = session(abandonment: 60 * second)
    _ = session.open(asked(), at: 0)
    _ = ink(&session, at: second)
    #expect(session.deadline == 61 * second)
    #expect(session.time(61 * second - 1) == .none)
    #expect(session.time(61 * second) == .wipe)
    #expect(session.viewState.request == 1 && session.viewState.done == .disabled)
    #expect(session.deadline == nil)
  }

  @Test func `a hand that rests on the glass has not abandoned it`() {
    var session = session(invites: true, abandonment: 60 * second)
    _ = session.down(Sample(time: 0, position: Point(40, 30)))
    #expect(session.deadline == nil)
    #expect(session.time(1000 * second) == .none)
  }

  @Test func `Undo removes stroke after stroke, and after the last one the pad is clean`() {
    var session = session(invites: true)
    _ = ink(&session)
    _ = ink(&session)
    let undo = resting.area(of: .undo).centre
    for left in [1, 0] {
      _ = session.down(Sample(time: 0, position: undo))
      #expect(session.up() == .inkTakenBack)
      #expect(session.viewState.done == (left == 1 ? .normal : .disabled))
    }
    _ = session.down(Sample(time: 0, position: undo))
    #expect(session.up() == .none)
  }

  @Test func `too little ink is wiped, and the pad shows why until the next stroke`() {
    var session = session()
    _ = session.open(asked(), at: 0)
    _ = ink(&session)
    _ = press(.done, &session)
    #expect(session.refused() == .wipe)
    #expect(session.viewState.isTooShort && session.viewState.page == .invitation)
    _ = ink(&session)
    #expect(!session.viewState.isTooShort)
  }

  @Test func `out of service a request waits for its time limit, and new ones are refused`() {
    var session = session()
    _ = session.open(asked(limit: 5 * second), at: 0)
    _ = session.service(available: false)
    #expect(session.viewState.page == .outOfService)
    _ = session.open(asked(2), at: 0)
    _ = session.service(available: true)
    #expect(session.viewState.page == .invitation && session.viewState.request == 1)
    _ = session.service(available: false)
    #expect(session.time(5 * second) == .none)
    #expect(session.viewState.page == .timedOut)
    _ = session.time(100 * second)
    #expect(session.viewState.page == .outOfService && session.viewState.request == nil)
    #expect(told(&session).contains(.refused(2, .outOfService(""))))
  }

  @Test func `a request continues after a restart, with its ink`() {
    var session = session()
    var request = asked()
    request.request.deadline = 9 * second
    session.show(request)
    #expect(session.viewState.request == 1)
    #expect(told(&session) == [.state(.invited, request: 1, deadline: 9 * second)])
    #expect(session.time(9 * second) == .none)
    #expect(session.viewState.page == .timedOut)
  }

  @Test func `a waiting request precedes a person who begins to sign early`() {
    var session = session(invites: true)
    _ = ink(&session)
    _ = press(.done, &session)
    _ = session.saved(at: 1)
    _ = session.open(asked(), at: 2)
    #expect(ink(&session, at: 3) == .none)
    #expect(session.time(1 + SessionRules().acknowledgement) == .wipe)
    #expect(session.viewState.request == 1)
    var idle = self.session()
    _ = idle.open(asked(), at: 1)
    _ = ink(&idle, at: 2)
    _ = press(.done, &idle, at: 3)
    _ = idle.saved(at: 4)
    #expect(ink(&idle, at: 5) == .none)
  }

  /// Whatever people, programs, disks and clocks do: a request is answered once, ink begins and ends, a
  /// signature is saved only with ink, and time brings every pad back to rest.
  @Test(arguments: 1...40) func `a random walk keeps the invariants`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var session = session(
      invites: seed % 2 == 0, abandonment: seed % 3 == 0 ? 20 * second : nil)
    var (now, number) = (Int64(0), Int64(0))
    var open: Set<Int64> = []
    var (inking, strokes, saving) = (false, 0, false)
    func check(_ action: SessionAction, _ session: inout Session) {
      switch action {
      case .inkBegins:
        #expect(!inking && !saving, "seed \(seed)")
        inking = true
        strokes += 1
      case .inkBeginsAnew:
        #expect(!inking && !saving, "seed \(seed)")
        (inking, strokes) = (true, 1)
      case .inkGoesOn: #expect(inking, "seed \(seed)")
      case .inkEnds:
        #expect(inking, "seed \(seed)")
        inking = false
      case .inkTakenBack:
        #expect(strokes > 0, "seed \(seed)")
        (inking, strokes) = (false, strokes - 1)
      case .wipe:
        #expect(strokes > 0, "seed \(seed)")
        (inking, strokes) = (false, 0)
      case .save:
        #expect(strokes > 0 && !inking && !saving, "seed \(seed)")
        saving = true
      case .none: break
      }
      session.report { event in
        switch event {
        case .refused(let number, _), .cancelled(let number, _), .timedOut(let number),
          .messageGone(let number, _, _):
          #expect(open.remove(number) != nil, "seed \(seed): \(event)")
        case .state(_, let request?, _): #expect(open.contains(request), "seed \(seed)")
        default: break
        }
      }
    }
    for _ in 0..<4000 {
      now += Int64.random(in: 0...second, using: &random)
      let point = Point(
        Float.random(in: 0...150, using: &random), Float.random(in: 0...90, using: &random))
      let sample = Sample(time: now, position: point)
      switch Int.random(in: 0..<14, using: &random) {
      case 0, 1, 2: check(session.down(sample), &session)
      case 3, 4: check(session.move(sample), &session)
      case 5, 6: check(session.up(), &session)
      case 7: check(session.cancel(isMistake: .random(using: &random)), &session)
      case 8:
        number += 1
        open.insert(number)
        let limit = Bool.random(using: &random) ? 10 * second : nil
        check(session.open(asked(limit: limit, number), at: now), &session)
      case 9:
        number += 1
        open.insert(number)
        check(session.open(message(limit: 3 * second, number), at: now), &session)
      case 10:
        if let any = open.sorted().randomElement(using: &random) {
          check(
            .random(using: &random)
              ? session.withdraw(any, at: now)
              : session.withdrawWithoutInk(any, for: 1, at: now), &session)
        }
      case 11:
        check(session.service(available: .random(using: &random)), &session)
      case 12 where saving:
        let request = session.viewState.request
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          check(session.saved(at: now), &session)
          if let request { open.remove(request) }
        case 1: check(session.notSaved(), &session)
        default: check(session.refused(), &session)
        }
        saving = false
      default: check(session.time(now), &session)
      }
      #expect(saving == session.viewState.isSaving, "seed \(seed)")
    }
    if saving {
      let request = session.viewState.request
      check(session.saved(at: now), &session)
      if let request { open.remove(request) }
    }
    check(session.up(), &session)
    check(session.service(available: true), &session)
    for any in open.sorted() { check(session.withdraw(any, at: now), &session) }
    for _ in 0..<10 {
      now += 100 * second
      check(session.time(now), &session)
    }
    #expect(open.isEmpty, "seed \(seed): \(open)")
    #expect(session.viewState.request == nil, "seed \(seed)")
  }

  @Test func `restored strokes are taken back one by one, and abandoned as others`() {
    var session = session(abandonment: 120 * second)
    session.show(asked())
    #expect(session.restore(strokes: 2, isDone: false, at: 1000 * second) == .none)
    #expect(session.deadline == 1120 * second)
    #expect(press(.undo, &session, at: 1001 * second) == .inkTakenBack)
    #expect(session.viewState.done == .normal)
    #expect(press(.undo, &session, at: 1002 * second) == .inkTakenBack)
    #expect(session.viewState.done == .disabled)
  }
}
