internal import Control

/// When a session must look at the clock.
extension Session {
  /// The next moment at which `time(_:)` must be called, if any; CLOCK_MONOTONIC.
  public var deadline: Int64? {
    switch state {
    case .idle, .confirming, .outOfService(nil, _): nil
    case .saved(let until), .cancelled(let until), .timedOut(let until): until
    case .message(_, let until): until
    case .invited(let asked, _), .outOfService(let asked?, _): tick(asked)
    case .signing(let asked): earlier(tick(asked), abandoned)
    }
  }

  /// Whole seconds until the time limit; what is being saved has none any more.
  var secondsLeft: Int? {
    guard phase != .confirming, let limit = asked?.limit else { return nil }
    return Int(max(0, limit - now + 999_999_999) / 1_000_000_000)
  }

  /// The countdown changes every second.
  private func tick(_ asked: Asked) -> Int64? {
    guard let limit = asked.limit, let left = secondsLeft else { return nil }
    return limit - Int64(max(0, left - 1)) * 1_000_000_000
  }

  /// When ink that nobody goes on with is wiped.
  var abandoned: Int64? {
    guard let span = rules.abandonment, hand == .none, !isUnsaved, hiddenSince == nil else {
      return nil
    }
    return lastTouch + span
  }
}
