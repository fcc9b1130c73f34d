internal import Control
internal import Screen

/// The state of a session, with the ends of notices (CLOCK_MONOTONIC).
enum SessionState: Equatable, Sendable {
  case idle
  case reading
  case invited(tooShort: Bool)
  case signing
  case confirming(isWithdrawn: Bool)
  case saved(until: Int64)
  case cancelled(until: Int64)
  case timedOut(until: Int64)
  case message
  case question
  /// `isSigned`: saving failed, and the ink is still on the glass.
  case outOfService(isSigned: Bool)

  /// The state as clients see it.
  var phase: PadState {
    switch self {
    case .idle: .idle
    case .reading: .reading
    case .invited: .invited
    case .signing: .signing
    case .confirming: .confirming
    case .saved: .saved
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .message: .message
    case .question: .question
    case .outOfService: .outOfService
    }
  }

  /// The page on the screen.
  var page: ViewState.Page {
    switch self {
    case .idle: .idle
    case .reading: .reading
    case .invited, .signing, .confirming: .invitation
    case .message: .message
    case .question: .question
    case .saved: .saved
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .outOfService: .outOfService
    }
  }

  /// Whether a button is enabled. Those of a document's pages depend on the page.
  func enables(_ button: Button) -> Bool {
    switch self {
    case .reading: button == .cancel
    case .invited: button == .cancel || button == .document
    case .signing:
      switch button {
      case .clear, .undo, .done, .cancel, .document: true
      default: false
      }
    case .message: button == .understood
    case .question: if case .choice = button { true } else { false }
    case .idle, .confirming, .saved, .cancelled, .timedOut, .outOfService: false
    }
  }
}
