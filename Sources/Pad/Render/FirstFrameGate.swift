/// The first picture on a panel waits for its words, but not for ever.
struct FirstFrameGate {
  /// When it is shown without them; nil: it waits no more.
  private(set) var deadline: Int64?
  private var hasShown = false

  /// How long it waits, in nanoseconds.
  private static let patience: Int64 = 500_000_000

  init(now: Int64) { deadline = now + FirstFrameGate.patience }

  /// The words are there.
  mutating func hasWords() { deadline = nil }

  /// Whether no picture has to wait any more.
  var isOver: Bool { deadline == nil }

  mutating func mayBeShown(at now: Int64) -> Bool {
    if let deadline, now >= deadline { self.deadline = nil }
    return isOver
  }

  /// A picture was shown; whether it is the first.
  mutating func isShownFirst() -> Bool {
    defer { hasShown = true }
    return !hasShown
  }
}
