public import Control
public import Ink

/// What happens on the glass, as a state machine: contacts, requests and answers in, one action out. It
/// neither draws nor saves nor reads a clock.
///
///              ┌──────────────────────────── time ──────────────────────────────┐
///              ▼                                                                │
///     ┌──▶ rest: idle ──ask──▶ invited ──ink──▶ signing ──Done──▶ confirming ──saved──▶ saved
///     │        │                 │ ▲               │                  │ │
///     │        │                 │ └─ Clear, abandoned, last stroke ──┘ │ └─ too short ─▶ invited
///     │       show               │     undone      │                    │
///     │        ▼                 ├─────────────────┤                 not saved
///     ├──── message              ▼                 ▼                    ▼
///     │   OK, time,        timed out (limit)   cancelled          out of service ──service──▶ signing
///     │   withdrawn              │             (Cancel,                 ▲
///     └───────── time ───────────┴───────────── withdrawn)              └── no service ── idle, invited
///
/// In stand-alone mode the rest is *invited* without a request, and a hand that comes down while *saved*,
/// *cancelled* or *timed out* is shown begins the next signature. What a program asks for meanwhile waits
/// for the notice's end; at other times than at rest it is refused.
/// A contact belongs to what it came down on: ink stays ink when it runs over a button, and a button
/// acts when it is released inside.
public struct Session: Sendable {
  /// What is to be done after an input.
  public enum Action: Equatable, Sendable {
    /// Nothing.
    case none
    /// A stroke begins.
    case inkBegins(Sample)
    /// The next signature begins while the last one is still shown: wipe that one first.
    case inkBeginsAnew(Sample)
    /// It goes on.
    case inkGoesOn(Sample)
    /// It ends at its last sample.
    case inkEnds
    /// The last stroke was none, or is not wanted: take it back.
    case inkTakenBack
    /// Wipe the ink.
    case wipe
    /// Save the strokes; the ink stays on the glass.
    case save
  }

  /// What a contact that is down does.
  private enum Hand: Equatable, Sendable {
    case none
    case inking
    case pressing(Button, inside: Bool)
    /// It came down where or when nothing can be done; it is let go.
    case ignored
  }

  /// Who is asked to sign: somebody by a request, with a moment until which, or anybody.
  private struct Asked: Equatable, Sendable {
    var request: Int64?
    var limit: Int64?
  }

  private enum State: Equatable, Sendable {
    case idle
    case invited(Asked, tooShort: Bool)
    case signing(Asked)
    case confirming(Asked)
    case saved(until: Int64)
    case cancelled(until: Int64)
    case timedOut(until: Int64)
    case message(Int64, until: Int64)
    case outOfService(Asked?, signed: Bool)
  }

  private enum Waiting: Equatable, Sendable {
    case signature(Invitation)
    case message(Invitation)
  }

  /// How long "saved" stays if nothing else is said, in nanoseconds.
  public static let acknowledgement: Int64 = 1_200_000_000
  /// How long a message stays if nothing else is said, in nanoseconds.
  public static let messageSpan: Int64 = 5_000_000_000

  private let rules: SessionRules
  private var resting: Layout
  private var layout: Layout
  private var state: State
  private var hand = Hand.none
  /// Strokes on the pad.
  private var strokes = 0
  /// The request whose words are shown.
  private var shown: Int64?
  private var waiting: Waiting?
  private var hasService = true
  /// The latest time that an input brought, and that a contact did.
  private var now: Int64 = 0
  private var lastTouch: Int64 = 0
  private var events: [ControlEvent] = []
  private var told: (PadState, Int64?)?

  /// A clean pad at rest.
  public init(layout: Layout, rules: SessionRules = SessionRules()) {
    self.rules = rules
    self.layout = layout
    resting = layout
    state = rules.invites ? .invited(Asked(), tooShort: false) : .idle
    events.reserveCapacity(8)
  }

  // MARK: - What it is

  /// The next moment at which `time(_:)` must be called, if any; CLOCK_MONOTONIC.
  public var deadline: Int64? {
    switch state {
    case .idle, .confirming: nil
    case .saved(let until), .cancelled(let until), .timedOut(let until), .message(_, let until):
      until
    case .invited(let asked, _), .outOfService(let asked?, _): tick(asked)
    case .signing(let asked): earlier(tick(asked), abandoned)
    case .outOfService(nil, _): nil
    }
  }

  /// The countdown changes every second.
  private func tick(_ asked: Asked) -> Int64? {
    guard let limit = asked.limit, let left = secondsLeft else { return nil }
    return limit - Int64(max(0, left - 1)) * 1_000_000_000
  }

  private var abandoned: Int64? {
    guard let span = rules.abandonment, hand == .none else { return nil }
    return lastTouch + span
  }

  private func earlier(_ a: Int64?, _ b: Int64?) -> Int64? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }

  private var asked: Asked? {
    switch state {
    case .invited(let asked, _), .signing(let asked), .confirming(let asked): asked
    case .outOfService(let asked, _): asked
    default: nil
    }
  }

  private var secondsLeft: Int? {
    guard let limit = asked?.limit, !isConfirming else { return nil }
    return Int(max(0, limit - now + 999_999_999) / 1_000_000_000)
  }

  /// What the pad shows besides the ink.
  public var face: Face {
    func look(_ button: Button) -> Face.ButtonLook {
      if !acts(button) { return .faint }
      return hand == .pressing(button, inside: true) ? .pressed : .plain
    }
    var isTooShort = false
    if case .invited(_, tooShort: true) = state { isTooShort = true }
    var isSaving = false
    if case .confirming = state { isSaving = true }
    return Face(
      clear: look(.clear), undo: look(.undo), done: look(.done), cancel: look(.cancel),
      understood: look(.understood), mark: mark, isSaving: isSaving, isTooShort: isTooShort,
      secondsLeft: secondsLeft, request: shown)
  }

  private func acts(_ button: Button) -> Bool {
    switch (state, button) {
    case (.signing, .clear), (.signing, .undo), (.signing, .done), (.signing, .cancel): true
    case (.invited, .cancel), (.message, .understood): true
    default: false
    }
  }

  private var mark: Face.Mark {
    switch state {
    case .idle: .idle
    case .invited, .signing, .confirming: .invitation
    case .message: .message
    case .saved: .saved
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .outOfService: .outOfService
    }
  }

  /// Gives away what programs are to be told, in its order.
  public mutating func report(_ body: (ControlEvent) -> Void) {
    for event in events { body(event) }
    events.removeAll(keepingCapacity: true)
  }

  // MARK: - Contacts

  /// A contact came down.
  public mutating func down(_ sample: Sample) -> Action {
    touched(sample.time)
    guard hand == .none else { return .none }
    if let button = layout.button(at: sample.position) {
      hand = acts(button) ? .pressing(button, inside: true) : .ignored
      return .none
    }
    hand = .ignored
    if isHurried { return beginAnew(sample) }
    guard layout.signing.contains(sample.position) else { return .none }
    switch state {
    case .invited(let asked, _): enter(.signing(asked))
    case .signing: break
    default: return .none
    }
    hand = .inking
    strokes += 1
    return .inkBegins(sample)
  }

  /// Whether whoever comes next may sign without waiting for the end of a notice: where everybody may,
  /// and no program waits for its turn.
  private var isHurried: Bool {
    guard rules.invites, hasService, waiting == nil else { return false }
    switch state {
    case .saved, .cancelled, .timedOut: return true
    default: return false
    }
  }

  private mutating func beginAnew(_ sample: Sample) -> Action {
    guard resting.signing.contains(sample.position) else { return .none }
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

  private mutating func pressed(_ button: Button) -> Action {
    switch (state, button) {
    case (.signing(let asked), .clear):
      enter(.invited(asked, tooShort: false))
      return wiped()
    case (.signing, .undo): return takeBack()
    case (.signing(let asked), .done):
      enter(.confirming(asked))
      return .save
    case (.invited(let asked, _), .cancel), (.signing(let asked), .cancel):
      return end(asked, by: .person)
    case (.message(let number, _), .understood):
      return endMessage(number, acknowledged: true)
    default: return .none
    }
  }

  private mutating func takeBack() -> Action {
    strokes -= 1
    if strokes == 0, case .signing(let asked) = state { enter(.invited(asked, tooShort: false)) }
    return .inkTakenBack
  }

  // MARK: - Requests

  /// A program asks for a signature.
  public mutating func ask(_ invitation: Invitation, at time: Int64) -> Action {
    now = max(now, time)
    switch state {
    case .outOfService: events.append(.refused(invitation.number, .outOfService("")))
    case .idle, .invited(Asked(), _): begin(invitation)
    case .saved, .cancelled, .timedOut:
      if waiting == nil { waiting = .signature(invitation) } else { fallthrough }
    default: events.append(.refused(invitation.number, .busy))
    }
    return .none
  }

  /// A program shows a message; `timeLimit` is how long.
  public mutating func show(_ message: Invitation, at time: Int64) -> Action {
    now = max(now, time)
    switch state {
    case .idle, .invited(Asked(), _), .outOfService(nil, _), .outOfService(Asked(), signed: false):
      begin(message: message)
    case .saved, .cancelled, .timedOut:
      if waiting == nil { waiting = .message(message) } else { fallthrough }
    default: events.append(.refused(message.number, .busy))
    }
    return .none
  }

  /// A program ends its request or message. What is being saved is saved.
  public mutating func withdraw(_ number: Int64, at time: Int64) -> Action {
    now = max(now, time)
    switch (waiting, state) {
    case (.signature(let invitation), _) where invitation.number == number:
      waiting = nil
      events.append(.cancelled(number, by: .program))
    case (.message(let message), _) where message.number == number:
      waiting = nil
      events.append(.messageGone(number, acknowledged: false))
    case (_, .message(number, _)): return endMessage(number, acknowledged: false)
    case (_, .invited(let asked, _)) where asked.request == number,
      (_, .signing(let asked)) where asked.request == number,
      (_, .outOfService(let asked?, _)) where asked.request == number:
      return end(asked, by: .program)
    default: break
    }
    return .none
  }

  private mutating func begin(_ invitation: Invitation) {
    layout = invitation.layout
    shown = invitation.number
    letGo()
    let limit = invitation.timeLimit.map { now + $0 }
    enter(.invited(Asked(request: invitation.number, limit: limit), tooShort: false))
  }

  private mutating func begin(message: Invitation) {
    layout = message.layout
    shown = message.number
    letGo()
    enter(.message(message.number, until: now + (message.timeLimit ?? Session.messageSpan)))
  }

  /// A request is over without a signature; where nobody was asked, nobody is told.
  private mutating func end(_ asked: Asked, by canceller: ControlEvent.Canceller) -> Action {
    if let number = asked.request { events.append(.cancelled(number, by: canceller)) }
    enter(.cancelled(until: now + rules.notice))
    return wiped()
  }

  private mutating func endMessage(_ number: Int64, acknowledged: Bool) -> Action {
    events.append(.messageGone(number, acknowledged: acknowledged))
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

  /// The signature could not be saved; it stays on the glass and can be sent again.
  public mutating func notSaved() -> Action {
    guard case .confirming(let asked) = state else { return .none }
    enter(.outOfService(asked, signed: true))
    return .none
  }

  /// What was to be saved is not enough ink for a signature: it goes, and the pad says why.
  public mutating func refused() -> Action {
    guard case .confirming(let asked) = state else { return .none }
    enter(.invited(asked, tooShort: true))
    return wiped()
  }

  /// There is no room for a signature, or there is again.
  public mutating func service(available: Bool) -> Action {
    hasService = available
    switch (state, available) {
    // Who has begun to sign may go on: the signature is refused, if at all, when it is sent.
    case (.idle, false): enter(.outOfService(nil, signed: false))
    case (.invited(let asked, _), false): enter(.outOfService(asked, signed: false))
    case (.outOfService(nil, _), true): rest()
    case (.outOfService(let asked?, signed: false), true): enter(.invited(asked, tooShort: false))
    case (.outOfService(let asked?, signed: true), true): enter(.signing(asked))
    default: break
    }
    return .none
  }

  /// The clock stands at `time`.
  public mutating func time(_ time: Int64) -> Action {
    now = max(now, time)
    if let limit = asked?.limit, now >= limit, !isConfirming { return timeIsUp() }
    switch state {
    case .saved(let until), .cancelled(let until), .timedOut(let until):
      if now < until { return .none }
      rest()
      return wiped()
    case .message(let number, let until):
      return now < until ? .none : endMessage(number, acknowledged: false)
    case .signing(let asked):
      guard let abandoned, now >= abandoned else { return .none }
      enter(.invited(asked, tooShort: false))
      return wiped()
    default: return .none
    }
  }

  private var isConfirming: Bool { if case .confirming = state { true } else { false } }

  private mutating func timeIsUp() -> Action {
    if let number = asked?.request { events.append(.timedOut(number)) }
    enter(.timedOut(until: now + rules.notice))
    return wiped()
  }

  /// What waits is begun, or nobody is asked for anything.
  private mutating func rest() {
    layout = resting
    shown = nil
    letGo()
    let next = waiting
    waiting = nil
    if case .message(let message) = next { return begin(message: message) }
    if !hasService {
      if case .signature(let invitation) = next {
        events.append(.refused(invitation.number, .outOfService("")))
      }
      return enter(.outOfService(rules.invites ? Asked() : nil, signed: false))
    }
    if case .signature(let invitation) = next { return begin(invitation) }
    enter(rules.invites ? .invited(Asked(), tooShort: false) : .idle)
  }

  private mutating func wiped() -> Action {
    letGo()
    guard strokes > 0 else { return .none }
    strokes = 0
    return .wipe
  }

  /// A contact that is down belonged to what was there before.
  private mutating func letGo() { if hand != .none { hand = .ignored } }

  private mutating func enter(_ new: State) {
    state = new
    let phase: PadState? =
      switch new {
      case .idle: .idle
      case .invited: .invited
      case .signing: .signing
      case .confirming: .confirming
      case .message: .message
      case .outOfService: .outOfService
      case .saved, .cancelled, .timedOut: nil
      }
    guard let phase else { return told = nil }
    let request = asked?.request
    if let told, told == (phase, request) { return }
    told = (phase, request)
    events.append(.state(phase, request: request, limit: asked?.limit))
  }

  // MARK: - Beginnings

  /// The request whose signature this is.
  var request: Int64? { asked?.request }

  /// Whether a request or message is shown or waits to be.
  func knows(_ number: Int64) -> Bool {
    switch waiting {
    case .signature(let next), .message(let next): if next.number == number { return true }
    case nil: break
    }
    return shown == number
  }

  /// The glass or the words have changed, and the places of the parts with them.
  ///
  /// - Parameter layouts: Where the parts of a request are.
  mutating func move(to resting: Layout, layouts: (Int64) -> Layout?) {
    self.resting = resting
    layout = shown.flatMap(layouts) ?? resting
    switch waiting {
    case .signature(var invitation):
      invitation.layout = layouts(invitation.number) ?? resting
      waiting = .signature(invitation)
    case .message(var message):
      message.layout = layouts(message.number) ?? resting
      waiting = .message(message)
    case nil: break
    }
    letGo()
  }

  /// A request goes on that was open before the pad was started; its time limit is a moment.
  mutating func resume(_ invitation: Invitation, until limit: Int64?) {
    layout = invitation.layout
    shown = invitation.number
    enter(.invited(Asked(request: invitation.number, limit: limit), tooShort: false))
  }

  /// There is ink from before the pad was started; *Done* may have been pressed then. Ink that nobody is
  /// asked for is to be wiped.
  mutating func adopt(strokes: Int, isDone: Bool, at time: Int64) -> Action {
    touched(time)
    guard strokes > 0 else { return .none }
    switch (state, isDone) {
    case (.invited(let asked, _), false): enter(.signing(asked))
    case (.invited(let asked, _), true): enter(.confirming(asked))
    case (_, true): enter(.confirming(Asked()))
    default: return .wipe
    }
    self.strokes = strokes
    return isDone ? .save : .none
  }
}
