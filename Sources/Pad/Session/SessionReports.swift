internal import Control
internal import Screen

/// The session's events for clients, in their order.
struct SessionReports: Sendable {
  private var events: [ControlEvent] = []
  /// The last reported state and its request.
  private var reported: (PadState, Int64?)?

  init() { events.reserveCapacity(8) }

  mutating func add(_ event: ControlEvent) { events.append(event) }

  /// Reports a state once. *Saved*, *cancelled* and *timed out* have events of their own.
  mutating func entered(_ state: PadState, request: Int64?, deadline: Int64?) {
    if state == .saved || state == .cancelled || state == .timedOut { return reported = nil }
    if let reported, reported == (state, request) { return }
    reported = (state, request)
    events.append(.state(state, request: request, deadline: deadline))
  }

  mutating func drain(_ body: (ControlEvent) -> Void) {
    for event in events { body(event) }
    events.removeAll(keepingCapacity: true)
  }
}

extension Session {
  /// The state as clients see it.
  var phase: PadState {
    switch state {
    case .idle: .idle
    case .invited: .invited
    case .signing: .signing
    case .confirming: .confirming
    case .saved: .saved
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .message: .message
    case .outOfService: .outOfService
    }
  }

  /// The state as the person sees it.
  var viewState: ViewState {
    ViewState(
      clear: buttonState(.clear), undo: buttonState(.undo), done: buttonState(.done),
      cancel: buttonState(.cancel), understood: buttonState(.understood), page: page,
      isSaving: phase == .confirming, isTooShort: state == .invited(tooShort: true),
      secondsLeft: secondsLeft, request: shown?.number)
  }

  private func buttonState(_ button: Button) -> ViewState.ButtonState {
    if !acts(button) { return .disabled }
    return hand == .pressing(button, inside: true) ? .pressed : .normal
  }

  private var page: ViewState.Page {
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
}
