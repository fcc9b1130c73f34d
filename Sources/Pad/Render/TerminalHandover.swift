/// When the console may show another terminal: as soon as the panel and the touchscreen are released. Pure.
///
/// The kernel's permission (VT_RELDISP) waits for both, so that the other terminal receives its first touch; but
/// not for a touchscreen whose driver hangs, since meanwhile the panel shows neither.
struct TerminalHandover {
  /// Messages about the grab that the input thread has not answered.
  private var unanswered = 0
  /// Until when the touchscreen is waited for; nil: the console need not be released.
  private(set) var deadline: Int64?
  /// How long the touchscreen is waited for, in nanoseconds.
  static let patience: Int64 = 1_000_000_000

  /// No other terminal is wanted.
  init() {}

  /// The input thread is told to grab its devices, or to release them.
  mutating func touchAsked() { unanswered += 1 }

  /// The input thread has done so. Returns whether the console is to be released now.
  mutating func touchAnswered() -> Bool {
    unanswered = max(0, unanswered - 1)
    guard deadline != nil, unanswered == 0 else { return false }
    deadline = nil
    return true
  }

  /// The panel is released. Returns whether the console is to be released now, for the touchscreen is.
  mutating func panelReleased(at now: Int64) -> Bool {
    deadline = unanswered > 0 ? now + Self.patience : nil
    return deadline == nil
  }

  /// The clock stands at `now`. Returns whether the console is to be released now, without the touchscreen.
  mutating func time(_ now: Int64) -> Bool {
    guard let deadline, deadline <= now else { return false }
    self.deadline = nil
    return true
  }
}
