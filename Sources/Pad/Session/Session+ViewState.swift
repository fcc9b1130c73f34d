internal import Control
public import Screen

/// What is shown of a session.
extension Session {
  /// What the pad shows besides the ink.
  public var viewState: ViewState {
    var isTooShort = false
    if case .invited(_, tooShort: true) = state { isTooShort = true }
    return ViewState(
      clear: buttonState(.clear), undo: buttonState(.undo), done: buttonState(.done),
      cancel: buttonState(.cancel), understood: buttonState(.understood), page: page,
      isSaving: phase == .confirming, isTooShort: isTooShort, secondsLeft: secondsLeft,
      request: shown)
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

  /// What programs are told of the state.
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

  /// Who is asked to sign, if anybody is.
  var asked: Asked? {
    switch state {
    case .invited(let asked, _), .signing(let asked), .confirming(let asked, _): asked
    case .outOfService(let asked, _): asked
    case .idle, .saved, .cancelled, .timedOut, .message: nil
    }
  }

  /// The request whose signature this is.
  var request: Int64? { asked?.request }

  /// Whether a request or message is shown or waits to be.
  func knows(_ number: Int64) -> Bool {
    shown == number || waiting?.invitation.number == number
  }
}
