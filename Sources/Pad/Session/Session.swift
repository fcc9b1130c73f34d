internal import Control
internal import Ink
internal import Screen
internal import Spool

/// The pad's state machine: contacts, requests and results in, one action out.
///
/// Neither draws nor saves, and reads no clock.
///
///              ┌──────────────────────────── time ──────────────────────────────┐
///              ▼                                                                │
///     ┌──▶ rest: idle ──open──▶ invited ──ink──▶ signing ──Done──▶ confirming ──saved──▶ saved
///     │        │                 │ ▲               │                  │ │
///     │        │                 │ └─ Clear, abandoned, last stroke ──┘ │ └─ too short ─▶ invited
///     │      open                │     removed     │                    │
///     │        ▼                 ├─────────────────┤                 not saved
///     ├──── message, question    ▼                 ▼                    ▼
///     │   OK, choice,      timed out (limit)   cancelled          out of service ──service──▶ signing
///     │   time, withdrawn        │             (Cancel,                 ▲
///     └───────── time ───────────┴───────────── withdrawn)              └── no service ── idle, invited
///
/// A request with a document begins in *reading*, which *Sign* leaves for *invited* or *signing*, and *Document* returns to
/// it from both. Reading ends as *invited* does; ink stays meanwhile.
///
/// A message ends without a notice when its time is over or it is withdrawn. A question is *timed
/// out* or *cancelled* then.
///
/// In stand-alone mode, the pad rests in *invited* without a request; with slides, in *idle* until the first touch, and
/// again when nobody has touched it for a while. Without service, it rests in *out of service*,
/// where an open request can still be withdrawn, and can time out unless its signature is on the glass. A request that is
/// withdrawn while *confirming* is saved; it is cancelled only if saving fails.
///
/// In stand-alone mode, a touch during *saved*, *cancelled* or *timed out* begins the next signature. A request that
/// arrives in these states waits for their end. In other states, a second request is refused.
///
/// A contact belongs to where it came down: a stroke may cross a button, and a button acts when the contact is
/// lifted inside it. A contact that came down while nothing was possible stays ignored until it is lifted.
struct Session: Sendable {
  private let rules: SessionRules
  private var state: SessionState
  private var hand = Hand.none
  private(set) var requests: OpenRequests
  /// The latest time of an input.
  private var now: Int64 = 0
  private var abandonment: AbandonmentTimer
  /// The number of strokes on the glass.
  private var strokes = 0
  private var hasService = true
  /// The save thread has not yet told whether there is service: requests wait for that.
  private var isAwaitingService = false
  /// Saving failed, and there was no touch since service returned.
  private var isUnsaved = false
  private var isMirrored = false
  /// There are pictures to show in *idle*.
  private var hasSlides = false
  /// When slides take the place of an invitation to everybody.
  private var invitation: AbandonmentTimer
  /// The document of the request that is shown; nil: it has none.
  private var reading: DocumentReading?
  /// The pad went out of service while the document was read.
  private var wasReading = false
  /// The page of the document that is painted; nil: none.
  private var paintedPage: Int?
  /// The panel shows the pad.
  private var isVisible = true
  private var reports = SessionReports()

  /// A clean pad at rest.
  init(resting: Scene, rules: SessionRules = SessionRules()) {
    self.rules = rules
    requests = OpenRequests(resting: resting)
    abandonment = AbandonmentTimer(limit: rules.abandonment)
    invitation = AbandonmentTimer(limit: rules.invitation)
    state = rules.invites ? .invited(tooShort: false) : .idle
  }

  // MARK: - Contacts

  /// A contact came down.
  mutating func down(_ sample: Sample) -> SessionAction {
    touched(sample.time)
    continueUnsaved()
    guard hand == .none else { return .none }
    if state.page.hasButtons, let button = layout.button(at: sample.position) {
      hand = enables(button) ? .pressing(button, inside: true) : .ignored
      return .none
    }
    hand = .ignored
    switch state {
    case .idle where rules.invites:
      enter(.invited(tooShort: false))
      return .none
    case .reading:
      hand = .reading
      reading?.down(sample)
      return .none
    case .invited, .signing:
      guard requests.scene.layout.signing.contains(sample.position) else { return .none }
      enter(.signing)
      hand = .inking
      strokes += 1
      return .inkBegins(sample)
    case .saved, .cancelled, .timedOut: return beginAnew(sample)
    case .idle, .confirming, .message, .question, .outOfService: return .none
    }
  }

  /// In stand-alone mode, a touch ends a notice unless a request waits.
  private mutating func beginAnew(_ sample: Sample) -> SessionAction {
    guard rules.invites, hasService, requests.waiting == nil,
      requests.resting.layout.signing.contains(sample.position)
    else { return .none }
    rest()
    enter(.signing)
    hand = .inking
    strokes = 1
    return .inkBeginsAnew(sample)
  }

  /// The contact moved.
  mutating func move(_ sample: Sample) -> SessionAction {
    touched(sample.time)
    switch hand {
    case .none, .ignored: return .none
    case .inking: return .inkGoesOn(sample)
    case .reading:
      reading?.move(sample)
      return .none
    case .pressing(let button, _):
      let isInside = layout.area(of: button).contains(sample.position)
      hand = .pressing(button, inside: isInside)
      return .none
    }
  }

  /// The contact was lifted: until then it touched the pad, whether it moved or not.
  mutating func up(at time: Int64 = .min) -> SessionAction {
    touched(time)
    defer { hand = .none }
    switch hand {
    case .none, .ignored, .pressing(_, inside: false): return .none
    case .inking: return .inkEnds
    case .reading:
      reading?.up(at: now)
      followReading()
      return .none
    case .pressing(let button, inside: true): return pressed(button)
    }
  }

  /// The contact ended without being lifted, for example because the touchscreen was unplugged. A button does not
  /// act; ink stays, unless the contact was a mistake (a palm or a ghost).
  mutating func cancel(isMistake: Bool = false, at time: Int64 = .min) -> SessionAction {
    touched(time)
    defer { hand = .none }
    if hand == .reading { reading?.cancel() }
    guard hand == .inking else { return .none }
    return isMistake ? removeLastStroke() : .inkEnds
  }

  private mutating func touched(_ time: Int64) {
    now = max(now, time)
    abandonment.touched(at: now)
    invitation.touched(at: now)
    if state == .reading { requests.renewDeadline(at: now) }
  }

  /// Restarts the time limits when the person continues after a failed save.
  private mutating func continueUnsaved() {
    guard isUnsaved, state == .signing else { return }
    isUnsaved = false
    guard let request = requests.answerable, request.timeLimit != nil else { return }
    requests.renewDeadline(at: now)
    reports.renewed()
    enter(.signing)
  }

  /// The positions of what is shown.
  private var layout: Layout { requests.scene.layout(of: state.page) }

  private func enables(_ button: Button) -> Bool {
    state.enables(button) || state == .reading && reading?.enables(button) == true
  }

  private mutating func pressed(_ button: Button) -> SessionAction {
    switch (state, button) {
    case (.signing, .clear): return inviteAgain()
    case (.signing, .undo): return removeLastStroke()
    case (.signing, .done):
      enter(.confirming(isWithdrawn: false))
      return .save
    case (.reading, .back), (.reading, .forward):
      reading?.turn(button, at: now)
      followReading()
      return .none
    case (.reading, .sign):
      enter(strokes > 0 ? .signing : .invited(tooShort: false))
      return .none
    case (.invited, .document), (.signing, .document):
      requests.renewDeadline(at: now)
      read()
      return .none
    case (.reading, .cancel), (.invited, .cancel), (.signing, .cancel):
      return cancelRequest(by: .person)
    case (.message, .understood): return endMessage(acknowledged: true)
    case (.question, .choice(let index)): return answer(index)
    // The button is not enabled, or no longer.
    default: return .none
    }
  }

  /// A client presses a button for the person, and ends the contact that is down. Nothing happens if the button is
  /// not enabled.
  mutating func press(_ button: Button, at time: Int64) -> SessionAction {
    guard enables(button) else { return .none }
    touched(time)
    continueUnsaved()
    hand.release()
    return pressed(button)
  }

  /// Reports to a client whether the button that it pressed had an effect.
  mutating func answerPress(of client: Int, isDone: Bool) {
    reports.add(.pressed(client, isDone))
  }

  private mutating func removeLastStroke() -> SessionAction {
    strokes -= 1
    if strokes == 0, case .signing = state { invite(tooShort: false) }
    return .inkTakenBack
  }

  private mutating func inviteAgain(tooShort: Bool = false) -> SessionAction {
    invite(tooShort: tooShort)
    return wiped()
  }

  /// Asks for ink, unless the save thread has not reported service yet.
  private mutating func invite(tooShort: Bool) {
    enter(isAwaitingService ? .outOfService(isSigned: false) : .invited(tooShort: tooShort))
  }

  // MARK: - Requests

  /// Shows a request, queues it behind a notice, or refuses it.
  mutating func open(_ request: TypesetRequest, at time: Int64) -> SessionAction {
    now = max(now, time)
    let isSignature = request.request.kind == .signature
    switch state {
    case .idle: show(request)
    case .invited where requests.shown == nil: show(request)
    case .outOfService(isSigned: false) where requests.shown == nil && !isSignature: show(request)
    case .saved, .cancelled, .timedOut:
      if !requests.queue(request) { reports.add(.refused(request.number, .busy)) }
    case .outOfService where isAwaitingService && requests.shown == nil:
      if !requests.queue(request) { reports.add(.refused(request.number, .busy)) }
    case .outOfService where isSignature:
      reports.add(.refused(request.number, .outOfService("")))
    case .reading, .invited, .signing, .confirming, .message, .question, .outOfService:
      reports.add(.refused(request.number, .busy))
    }
    return .none
  }

  /// Ends a request of a client. A signature that is being saved is saved.
  mutating func withdraw(
    _ number: Int64, by canceller: ControlEvent.Canceller = .program, at time: Int64
  ) -> SessionAction {
    now = max(now, time)
    if let request = requests.withdrawWaiting(number) {
      reports.add(request.givenUp(by: canceller))
      return .none
    }
    guard requests.shown?.number == number else { return .none }
    switch state {
    case .reading, .invited, .signing, .question, .outOfService:
      return cancelRequest(by: canceller)
    case .message: return endMessage(acknowledged: false, by: canceller)
    case .confirming: enter(.confirming(isWithdrawn: true))
    case .idle, .saved, .cancelled, .timedOut: break
    }
    return .none
  }

  /// Ends a request for a client if it has no ink, or reports to the client that it stays.
  mutating func withdrawWithoutInk(
    _ number: Int64, for client: Int, at time: Int64
  ) -> SessionAction {
    if strokes > 0, requests.shown?.number == number {
      reports.add(.inkStays(number, client: client))
      return .none
    }
    return withdraw(number, at: time)
  }

  /// Shows a request until its deadline.
  mutating func show(_ request: TypesetRequest, at time: Int64 = .min) {
    now = max(now, time)
    requests.show(request, at: now)
    hand.release()
    paintedPage = nil
    reading = request.scene.reading.map { DocumentReading($0, at: now) }
    switch request.request.kind {
    case .signature: if reading == nil { enter(.invited(tooShort: false)) } else { read() }
    case .message: enter(.message)
    case .question: enter(.question)
    }
  }

  /// Ends a request without a signature or an answer.
  private mutating func cancelRequest(by canceller: ControlEvent.Canceller) -> SessionAction {
    if let number = requests.answerable?.number { reports.add(.cancelled(number, by: canceller)) }
    enter(.cancelled(until: now + rules.notice))
    return wiped()
  }

  private mutating func answer(_ choice: Int) -> SessionAction {
    if let number = requests.answerable?.number { reports.add(.answered(number, choice: choice)) }
    rest()
    return .none
  }

  private mutating func endMessage(
    acknowledged: Bool, by canceller: ControlEvent.Canceller? = nil
  ) -> SessionAction {
    if let number = requests.shown?.number {
      reports.add(.messageGone(number, acknowledged: acknowledged, by: canceller))
    }
    rest()
    return .none
  }

  // MARK: - Results

  /// The signature is in the spool.
  mutating func saved(at time: Int64) -> SessionAction {
    now = max(now, time)
    guard case .confirming = state else { return .none }
    enter(.saved(until: now + rules.acknowledgement))
    return .none
  }

  /// Saving failed. The ink stays and can be sent again, unless the request was withdrawn. Until
  /// the next touch with service, the ink is not abandoned and the request has no time limit,
  /// because *Done* was pressed in time.
  mutating func notSaved() -> SessionAction {
    guard case .confirming(let isWithdrawn) = state else { return .none }
    if isWithdrawn { return cancelRequest(by: .program) }
    requests.suspendDeadline()
    enter(.outOfService(isSigned: true))
    return .none
  }

  /// The ink is too short for a signature: it is wiped, and the pad says why.
  mutating func refused() -> SessionAction {
    guard case .confirming = state else { return .none }
    return inviteAgain(tooShort: true)
  }

  /// The spool takes signatures, or it does not.
  mutating func service(available: Bool) -> SessionAction {
    hasService = available
    let isFirst = isAwaitingService
    isAwaitingService = false
    switch state {
    case .reading where strokes > 0: break
    case .idle, .reading, .invited:
      guard !available else { break }
      wasReading = state == .reading
      hand.release()
      enter(.outOfService(isSigned: false))
    case .outOfService(let isSigned):
      guard available else {
        // Requests that have waited are refused.
        if isFirst, requests.shown == nil { rest() }
        break
      }
      isUnsaved = isSigned
      if isSigned {
        enter(.signing)
      } else if wasReading, reading != nil {
        read()
      } else if requests.shown != nil {
        enter(.invited(tooShort: false))
      } else {
        rest()
      }
    // A started signature may be finished: it is refused, if at all, when it is sent. Notices, messages and questions
    // end first.
    case .signing, .confirming, .saved, .cancelled, .timedOut, .message, .question:
      break
    }
    return .none
  }

  /// Nobody can begin to sign before the first `service`.
  mutating func awaitService() {
    _ = service(available: false)
    isAwaitingService = true
  }

  /// The pad is visible, or it is hidden. Neither ink nor an invitation is abandoned while it is hidden.
  mutating func setVisible(_ isVisible: Bool, at time: Int64) {
    now = max(now, time)
    abandonment.setVisible(isVisible, at: time)
    invitation.setVisible(isVisible, at: time)
    self.isVisible = isVisible
    followReading()
  }

  // MARK: - Reading

  /// Shows the document of the request.
  private mutating func read() {
    state = .reading
    followReading()
  }

  /// This page of the document is painted; nil: the one to show is not ready.
  mutating func painted(_ page: Int?, at time: Int64) {
    guard page != paintedPage else { return }
    now = max(now, time)
    paintedPage = page
    followReading()
  }

  /// Counts the page's time while it is shown, and reports which one it is.
  private mutating func followReading() {
    guard reading != nil else { return }
    let isPainted = paintedPage != nil && paintedPage == reading?.page
    reading?.setVisible(state == .reading && isPainted && isVisible, at: now)
    guard state == .reading, let page = reading?.page, let request = requests.shown else { return }
    reports.read(page, request: request.number, deadline: request.request.deadline)
  }

  /// The pages of the document that are shown next, the current one first.
  var wantedPages: [Int] { state == .reading ? reading?.wanted ?? [] : [] }

  /// The request for a signature that is shown and has not ended.
  var openSignature: PadRequest? {
    switch state {
    case .saved, .cancelled, .timedOut: nil
    case .idle, .reading, .invited, .signing, .confirming, .message, .question, .outOfService:
      requests.signature
    }
  }

  /// The document of the request for a signature, as it was shown.
  var shownDocument: ShownDocument? {
    guard let document = requests.signature?.document else { return nil }
    return reading?.shown(name: document.name, digest: document.digest)
  }

  /// There are pictures to show while the pad rests, or there are none any more.
  mutating func setSlides(available: Bool) {
    hasSlides = available
    if !available, state == .idle, rules.invites { enter(.invited(tooShort: false)) }
  }

  /// Clients watch the ink, or they do not any more.
  mutating func setMirrored(_ isMirrored: Bool) { self.isMirrored = isMirrored }

  // MARK: - Time

  /// When `time(_:)` must be called (CLOCK_MONOTONIC); nil: never.
  var deadline: Int64? {
    switch state {
    case .idle, .confirming: nil
    case .saved(let until), .cancelled(let until), .timedOut(let until): until
    case .message: requests.deadline
    case .invited: earlier(requests.nextSecond(after: now), slidesDeadline)
    case .question, .outOfService: requests.nextSecond(after: now)
    case .reading: earlier(requests.deadline, strokes > 0 ? abandonDeadline : nil)
    case .signing: earlier(requests.nextSecond(after: now), abandonDeadline)
    }
  }

  /// When abandoned ink is wiped; nil: not while nothing else happens.
  private var abandonDeadline: Int64? {
    hand == .none && !isUnsaved ? abandonment.deadline : nil
  }

  /// When slides replace an invitation that nobody has followed; nil: never.
  private var slidesDeadline: Int64? {
    hasSlides && rules.invites && requests.shown == nil && hand == .none
      ? invitation.deadline : nil
  }

  /// Handles what was due at `time`.
  mutating func time(_ time: Int64) -> SessionAction {
    now = max(now, time)
    let isLate = requests.isLate(at: now)
    switch state {
    case .invited:
      if isLate { return timeOut() }
      if let slidesDeadline, now >= slidesDeadline { enter(.idle) }
    case .question, .outOfService: if isLate { return timeOut() }
    case .reading:
      if isLate { return timeOut() }
      if let abandonDeadline, now >= abandonDeadline { return wiped() }
    case .signing:
      if isLate { return timeOut() }
      if let abandonDeadline, now >= abandonDeadline { return inviteAgain() }
    case .saved(let until), .cancelled(let until), .timedOut(let until):
      guard now >= until else { break }
      rest()
      return wiped()
    case .message: if isLate { return endMessage(acknowledged: false) }
    case .idle, .confirming: break
    }
    return .none
  }

  private mutating func timeOut() -> SessionAction {
    if let number = requests.answerable?.number { reports.add(.timedOut(number)) }
    enter(.timedOut(until: now + rules.notice))
    return wiped()
  }

  // MARK: - Rest

  /// Shows the waiting request, or the resting scene.
  private mutating func rest() {
    hand.release()
    reading = nil
    switch (requests.next(), hasService) {
    case (let next?, _) where next.request.kind != .signature: show(next)
    case (let next?, true): show(next)
    case (nil, true): enter(rules.invites && !hasSlides ? .invited(tooShort: false) : .idle)
    case (let next, false):
      if let next { reports.add(.refused(next.number, .outOfService(""))) }
      enter(.outOfService(isSigned: false))
    }
  }

  private mutating func wiped() -> SessionAction {
    hand.release()
    isUnsaved = false
    guard strokes > 0 else { return .none }
    strokes = 0
    return .wipe
  }

  private mutating func enter(_ new: SessionState) {
    state = new
    let request = requests.answerable
    followReading()
    reports.entered(state.phase, request: request?.number, deadline: request?.deadline)
  }

  /// The state as the person sees it.
  var viewState: ViewState {
    ViewState(
      clear: buttonState(.clear), undo: buttonState(.undo), done: buttonState(.done),
      cancel: buttonState(.cancel), understood: buttonState(.understood), page: state.page,
      isSaving: state.phase == .confirming, isTooShort: state == .invited(tooShort: true),
      secondsLeft: secondsLeft, request: requests.shown?.number, isMirrored: isMirrored,
      pressedChoice: pressedChoice, document: buttonState(.document),
      reading: state == .reading ? reading?.viewState { buttonState($0) } : nil)
  }

  private func buttonState(_ button: Button) -> ViewState.ButtonState {
    if !enables(button) { return .disabled }
    return hand == .pressing(button, inside: true) ? .pressed : .normal
  }

  private var pressedChoice: Int? {
    if case .pressing(.choice(let index), inside: true) = hand { index } else { nil }
  }

  private var secondsLeft: Int? {
    switch state {
    case .invited, .signing, .question, .outOfService: requests.secondsLeft(at: now)
    case .idle, .reading, .confirming, .saved, .cancelled, .timedOut, .message: nil
    }
  }

  /// Removes and returns the events for clients, in their order.
  mutating func report(_ body: (ControlEvent) -> Void) { reports.drain(body) }

  // MARK: - Restoring

  /// Replaces the scenes, for another panel or with other texts.
  ///
  /// - Parameter scene: The new scene of a request; nil: it keeps its own.
  mutating func replaceScenes(resting: Scene, _ scene: (TypesetRequest) -> Scene?) {
    requests.replaceScenes(resting: resting, scene)
    if let pages = requests.shown?.scene.reading {
      paintedPage = nil
      reading?.replace(pages, at: now)
      followReading()
    }
    hand.release()
  }

  /// Replaces the resting scene with one of the same layout.
  mutating func setResting(_ scene: Scene) { requests.setResting(scene) }

  /// Adds the strokes of an earlier start, in which *Done* may have been pressed.
  ///
  /// Wipes them if nothing was requested.
  ///
  /// - Parameter document: The document beside which *Done* was pressed; nil: it is not known.
  mutating func restore(
    strokes: Int, isDone: Bool, document: ShownDocument? = nil, at time: Int64
  ) -> SessionAction {
    touched(time)
    guard strokes > 0 else { return .none }
    guard isDone || state != .idle else { return .wipe }
    self.strokes = strokes
    reading?.letSign(shown: document?.pages)
    enter(isDone ? .confirming(isWithdrawn: false) : .signing)
    return isDone ? .save : .none
  }
}
