internal import Control

/// Whether a request, its notice or a signature needs the panel. Pure.
struct PadActivity {
  /// The session is not at rest.
  private var isSessionActive: Bool
  /// The request that the session has not shown, refused or queued yet.
  private var opening: Int64?
  /// There is a signature that is not saved yet.
  private(set) var isSigning: Bool

  /// - Parameter isActive: An earlier start has left a request or ink.
  init(isActive: Bool = false) { (isSessionActive, isSigning) = (isActive, isActive) }

  var isActive: Bool { isSessionActive || opening != nil }

  /// A request was accepted, and is handed to the session.
  mutating func opened(_ number: Int64) { opening = number }

  /// Follows an event of the session, or of a request that it never had.
  mutating func follow(_ event: ControlEvent) {
    switch event {
    case .state(let state, let request, _):
      isSessionActive =
        switch state {
        case .idle: false
        // Without a request, the pad invites everybody, or says that it is out of service.
        case .invited, .outOfService: request != nil
        // The last three have events of their own: while their notice is shown, the state before it holds.
        case .reading, .signing, .confirming, .message, .question, .saved, .cancelled, .timedOut:
          true
        }
      isSigning = state == .signing || state == .confirming
      if isSessionActive { opening = nil }
    case .reading:
      (isSessionActive, isSigning, opening) = (true, false, nil)
    case .refused(let number, _), .messageGone(let number, _, _), .answered(let number, _):
      if opening == number { opening = nil }
    case .cancelled(let number, _), .timedOut(let number):
      if opening == number { opening = nil } else { isSigning = false }
    case .signed: isSigning = false
    case .unavailable, .inkStays, .ink, .pressed, .pagePut, .screenshot, .foreground: break
    }
  }
}
