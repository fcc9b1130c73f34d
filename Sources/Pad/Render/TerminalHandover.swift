/// When the console may show another terminal: as soon as the panel and the touchscreen are released. Pure.
///
/// The kernel's permission (VT_RELDISP) waits for both, so that the other terminal receives its first touch.
struct TerminalHandover {
  /// Messages about the grab that the input thread has not answered.
  private var unanswered = 0
  private var isWaiting = false

  /// No other terminal is wanted.
  init() {}

  /// The input thread is told to grab its devices, or to release them.
  mutating func touchAsked() { unanswered += 1 }

  /// The input thread has done so. Returns whether the console is to be released now.
  mutating func touchAnswered() -> Bool {
    unanswered = max(0, unanswered - 1)
    guard isWaiting, unanswered == 0 else { return false }
    isWaiting = false
    return true
  }

  /// The panel is released. Returns whether the console is to be released now, for the touchscreen is.
  mutating func panelReleased() -> Bool {
    isWaiting = unanswered > 0
    return !isWaiting
  }
}
