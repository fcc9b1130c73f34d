internal import Control
public import Ink
public import Screen

/// What happens on the glass, as a state machine: contacts, requests and answers in, one action out. It
/// neither draws nor saves nor reads a clock.
///
///              ┌──────────────────────────── time ──────────────────────────────┐
///              ▼                                                                │
///     ┌──▶ rest: idle ──ask──▶ invited ──ink──▶ signing ──Done──▶ confirming ──saved──▶ saved
///     │        │                 │ ▲               │                  │ │
///     │        │                 │ └─ Clear, abandoned, last stroke ──┘ │ └─ too short ─▶ invited
///     │       show               │     taken back  │                    │
///     │        ▼                 ├─────────────────┤                 not saved
///     ├──── message              ▼                 ▼                    ▼
///     │   OK, time,        timed out (limit)   cancelled          out of service ──service──▶ signing
///     │   withdrawn              │             (Cancel,                 ▲
///     └───────── time ───────────┴───────────── withdrawn)              └── no service ── idle, invited
///
/// In stand-alone mode the rest is *invited* without a request; without service it is *out of service*,
/// where the time limit of a request goes on and its program can withdraw it. A request that is withdrawn
/// while *confirming* is saved all the same; only if it cannot be, it is cancelled.
///
/// In stand-alone mode a hand that comes down while *saved*, *cancelled* or *timed out* is shown begins the
/// next signature. What a program asks for meanwhile waits for the notice's end; at other times than at
/// rest it is refused.
///
/// A contact belongs to what it came down on: ink stays ink when it runs over a button, and a button
/// acts when it is released inside. What comes down while nothing can be done, as while *confirming*, does
/// nothing until it is lifted, whatever is shown by then.
public struct Session: Sendable {
  /// Who is asked to sign: somebody by a request, with a moment until which, or anybody.
  struct Asked: Equatable, Sendable {
    var request: Int64?
    var limit: Int64?
  }

  enum State: Equatable, Sendable {
    case idle
    case invited(Asked, tooShort: Bool)
    case signing(Asked)
    case confirming(Asked, isWithdrawn: Bool)
    case saved(until: Int64)
    case cancelled(until: Int64)
    case timedOut(until: Int64)
    case message(Int64, until: Int64?)
    case outOfService(Asked?, signed: Bool)
  }

  /// What a program has asked for during a notice.
  struct Waiting: Equatable, Sendable {
    var invitation: Invitation
    let isMessage: Bool
  }

  let rules: SessionRules
  private(set) var state: State
  private(set) var hand = Hand.none
  /// The request whose words are shown.
  private(set) var shown: Int64?
  private(set) var waiting: Waiting?
  /// The latest time that an input brought, and that a contact did.
  private(set) var now: Int64 = 0
  private(set) var lastTouch: Int64 = 0
  /// Since when the pad cannot be seen; nil: it can.
  private(set) var hiddenSince: Int64?
  private var resting: Layout
  private var layout: Layout
  /// Strokes on the pad.
  private var strokes = 0
  private var hasService = true
  /// The strokes were sent and could not be saved, and nobody has touched the glass since service is back.
  private(set) var isUnsaved = false
  var reports = Reports()

  /// A clean pad at rest.
  public init(layout: Layout, rules: SessionRules = SessionRules()) {
    self.rules = rules
    self.layout = layout
    resting = layout
    state = rules.invites ? .invited(Asked(), tooShort: false) : .idle
  }

  // MARK: - Contacts

  /// A contact came down.
  public mutating func down(_ sample: Sample) -> Action {
    touched(sample.time)
    if case .signing = state { isUnsaved = false }
    guard hand == .none else { return .none }
    if let button = layout.button(at: sample.position) {
      hand = acts(button) ? .pressing(button, inside: true) : .ignored
      return .none
    }
    hand = .ignored
    switch state {
    case .invited(let asked, _), .signing(let asked):
      guard layout.signing.contains(sample.position) else { return .none }
      enter(.signing(asked))
      hand = .inking
      strokes += 1
      return .inkBegins(sample)
    case .saved, .cancelled, .timedOut: return beginAnew(sample)
    case .idle, .confirming, .message, .outOfService: return .none
    }
  }

  /// Whoever comes next need not wait for the end of a notice where everybody may sign, unless a program
  /// waits for its turn.
  private mutating func beginAnew(_ sample: Sample) -> Action {
    guard rules.invites, hasService, waiting == nil, resting.signing.contains(sample.position)
    else { return .none }
    rest()
    enter(.signing(Asked()))
    hand = .inking
    strokes = 1
    return .inkBeginsAnew(sample)
  }

  /// The contact moved.
  public mutating func move(_ sample: Sample) -> Action {
    touched(sample.time)
    switch hand {
    case .none, .ignored: return .none
    case .inking: return .inkGoesOn(sample)
    case .pressing(let button, _):
      hand = .pressing(button, inside: layout.area(of: button).contains(sample.position))
      return .none
    }
  }

  /// The contact left the glass.
  public mutating func up() -> Action {
    defer { hand = .none }
    switch hand {
    case .none, .ignored, .pressing(_, inside: false): return .none
    case .inking: return .inkEnds
    case .pressing(let button, inside: true): return pressed(button)
    }
  }

  /// The contact is gone without having been lifted, as when the screen is unplugged: a button is let
  /// go without acting; ink that was drawn stays. A contact that turned out to be none, a palm or a
  /// ghost, leaves no ink either.
  public mutating func cancel(isMistake: Bool = false) -> Action {
    defer { hand = .none }
    guard hand == .inking else { return .none }
    return isMistake ? takeBack() : .inkEnds
  }

  private mutating func touched(_ time: Int64) {
    now = max(now, time)
    lastTouch = now
  }

  /// Whether a button does something now.
  func acts(_ button: Button) -> Bool {
    switch state {
    case .invited: button == .cancel
    case .signing: button != .understood
    case .message: button == .understood
    case .idle, .confirming, .saved, .cancelled, .timedOut, .outOfService: false
    }
  }

  private mutating func pressed(_ button: Button) -> Action {
    switch (state, button) {
    case (.signing(let asked), .clear): return inviteAgain(asked)
    case (.signing, .undo): return takeBack()
    case (.signing(let asked), .done):
      enter(.confirming(asked, isWithdrawn: false))
      return .save
    case (.invited(let asked, _), .cancel), (.signing(let asked), .cancel):
      return end(asked, by: .person)
    case (.message(let number, _), .understood):
      return endMessage(number, acknowledged: true)
    // What does not act, as `acts` says, or no longer.
    default: return .none
    }
  }

  private mutating func takeBack() -> Action {
    strokes -= 1
    if strokes == 0, case .signing(let asked) = state { enter(.invited(asked, tooShort: false)) }
    return .inkTakenBack
  }

  private mutating func inviteAgain(_ asked: Asked, tooShort: Bool = false) -> Action {
    enter(.invited(asked, tooShort: tooShort))
    return wiped()
  }

  // MARK: - Requests

  /// A program asks for a signature.
  public mutating func ask(_ invitation: Invitation, at time: Int64) -> Action {
    now = max(now, time)
    switch state {
    case .idle, .invited(Asked(), _): begin(invitation)
    case .saved, .cancelled, .timedOut: wait(Waiting(invitation: invitation, isMessage: false))
    case .invited, .signing, .confirming, .message:
      reports.add(.refused(invitation.number, .busy))
    case .outOfService: reports.add(.refused(invitation.number, .outOfService("")))
    }
    return .none
  }

  /// A program shows a message; `timeLimit` is how long.
  public mutating func show(_ message: Invitation, at time: Int64) -> Action {
    now = max(now, time)
    switch state {
    case .idle, .invited(Asked(), _), .outOfService(nil, _), .outOfService(Asked(), signed: false):
      begin(message: message)
    case .saved, .cancelled, .timedOut: wait(Waiting(invitation: message, isMessage: true))
    case .invited, .signing, .confirming, .message, .outOfService:
      reports.add(.refused(message.number, .busy))
    }
    return .none
  }

  private mutating func wait(_ next: Waiting) {
    if waiting == nil { return waiting = next }
    reports.add(.refused(next.invitation.number, .busy))
  }

  /// A program ends its request or message. What is being saved is saved.
  public mutating func withdraw(_ number: Int64, at time: Int64) -> Action {
    now = max(now, time)
    if let next = waiting, next.invitation.number == number {
      waiting = nil
      reports.add(
        next.isMessage
          ? .messageGone(number, acknowledged: false) : .cancelled(number, by: .program))
      return .none
    }
    guard shown == number else { return .none }
    switch state {
    case .invited(let asked, _), .signing(let asked), .outOfService(let asked?, _):
      return end(asked, by: .program)
    case .message: return endMessage(number, acknowledged: false)
    case .confirming(let asked, _): enter(.confirming(asked, isWithdrawn: true))
    case .idle, .saved, .cancelled, .timedOut, .outOfService(nil, _): break
    }
    return .none
  }

  private mutating func begin(_ invitation: Invitation) {
    resume(invitation, until: invitation.timeLimit.map { now + $0 })
  }

  private mutating func begin(message: Invitation) {
    present(message)
    enter(.message(message.number, until: message.timeLimit.map { now + $0 }))
  }

  private mutating func present(_ invitation: Invitation) {
    layout = invitation.layout
    shown = invitation.number
    letGo()
  }

  /// A request is over without a signature; where nobody was asked, nobody is told.
  private mutating func end(_ asked: Asked, by canceller: ControlEvent.Canceller) -> Action {
    if let number = asked.request { reports.add(.cancelled(number, by: canceller)) }
    enter(.cancelled(until: now + rules.notice))
    return wiped()
  }

  private mutating func endMessage(_ number: Int64, acknowledged: Bool) -> Action {
    reports.add(.messageGone(number, acknowledged: acknowledged))
    rest()
    return .none
  }

  // MARK: - Answers

  /// The signature is durably in the spool.
  public mutating func saved(at time: Int64) -> Action {
    now = max(now, time)
    guard case .confirming = state else { return .none }
    enter(.saved(until: now + rules.acknowledgement))
    return .none
  }

  /// The signature could not be saved; it stays on the glass and can be sent again, unless its program
  /// does not want it any more. It is not abandoned before somebody has touched the glass again.
  public mutating func notSaved() -> Action {
    guard case .confirming(let asked, let isWithdrawn) = state else { return .none }
    if isWithdrawn { return end(asked, by: .program) }
    enter(.outOfService(asked, signed: true))
    return .none
  }

  /// What was to be saved is not enough ink for a signature: it goes, and the pad says why.
  public mutating func refused() -> Action {
    guard case .confirming(let asked, _) = state else { return .none }
    return inviteAgain(asked, tooShort: true)
  }

  /// There is no room for a signature, or there is again.
  public mutating func service(available: Bool) -> Action {
    hasService = available
    switch state {
    case .idle: if !available { enter(.outOfService(nil, signed: false)) }
    case .invited(let asked, _): if !available { enter(.outOfService(asked, signed: false)) }
    case .outOfService(nil, _): if available { rest() }
    case .outOfService(let asked?, let signed):
      guard available else { break }
      isUnsaved = signed
      enter(signed ? .signing(asked) : .invited(asked, tooShort: false))
    // Who has begun to sign may go on: the signature is refused, if at all, when it is sent. What is shown
    // for a time is looked at when it is over.
    case .signing, .confirming, .saved, .cancelled, .timedOut, .message: break
    }
    return .none
  }

  /// The pad can be seen, or cannot. Ink is not abandoned while it cannot: nobody could go on with it.
  public mutating func setVisible(_ isVisible: Bool, at time: Int64) {
    now = max(now, time)
    if !isVisible {
      hiddenSince = hiddenSince ?? time
    } else if let since = hiddenSince {
      lastTouch += max(0, time - max(since, lastTouch))
      hiddenSince = nil
    }
  }

  /// The clock stands at `time`.
  public mutating func time(_ time: Int64) -> Action {
    now = max(now, time)
    switch state {
    case .invited(let asked, _), .outOfService(let asked?, _):
      if let limit = asked.limit, now >= limit { return timeIsUp(asked) }
    case .signing(let asked):
      if let limit = asked.limit, now >= limit { return timeIsUp(asked) }
      if let abandoned, now >= abandoned { return inviteAgain(asked) }
    case .saved(let until), .cancelled(let until), .timedOut(let until):
      guard now >= until else { break }
      rest()
      return wiped()
    case .message(let number, let until):
      if let until, now >= until { return endMessage(number, acknowledged: false) }
    case .idle, .confirming, .outOfService(nil, _): break
    }
    return .none
  }

  private mutating func timeIsUp(_ asked: Asked) -> Action {
    if let number = asked.request { reports.add(.timedOut(number)) }
    enter(.timedOut(until: now + rules.notice))
    return wiped()
  }

  // MARK: - Rest

  /// What waits is begun, or nobody is asked for anything.
  private mutating func rest() {
    layout = resting
    shown = nil
    letGo()
    let next = waiting
    waiting = nil
    switch (next, hasService) {
    case (let next?, _) where next.isMessage: begin(message: next.invitation)
    case (let next?, true): begin(next.invitation)
    case (nil, true): enter(rules.invites ? .invited(Asked(), tooShort: false) : .idle)
    case (let next, false):
      if let next { reports.add(.refused(next.invitation.number, .outOfService(""))) }
      enter(.outOfService(rules.invites ? Asked() : nil, signed: false))
    }
  }

  private mutating func wiped() -> Action {
    letGo()
    isUnsaved = false
    guard strokes > 0 else { return .none }
    strokes = 0
    return .wipe
  }

  /// A contact that is down belonged to what was there before.
  private mutating func letGo() { if hand != .none { hand = .ignored } }

  private mutating func enter(_ new: State) {
    state = new
    reports.entered(phase, request: asked?.request, limit: asked?.limit)
  }

  // MARK: - Beginnings

  /// The glass or the words have changed, and the places of the parts with them.
  ///
  /// - Parameter requests: Where the parts of a request are.
  mutating func layOut(_ resting: Layout, requests: (Int64) -> Layout?) {
    self.resting = resting
    layout = shown.flatMap(requests) ?? resting
    if let next = waiting?.invitation.number {
      waiting?.invitation.layout = requests(next) ?? resting
    }
    letGo()
  }

  /// A request goes on that was open before the pad was started; its time limit is a moment.
  mutating func resume(_ invitation: Invitation, until limit: Int64?) {
    present(invitation)
    enter(.invited(Asked(request: invitation.number, limit: limit), tooShort: false))
  }

  /// There is ink from before the pad was started; *Done* may have been pressed then. Ink that nobody is
  /// asked for is to be wiped.
  mutating func adopt(strokes: Int, isDone: Bool, at time: Int64) -> Action {
    touched(time)
    guard strokes > 0 else { return .none }
    guard let asked = asked ?? (isDone ? Asked() : nil) else { return .wipe }
    self.strokes = strokes
    enter(isDone ? .confirming(asked, isWithdrawn: false) : .signing(asked))
    return isDone ? .save : .none
  }
}
