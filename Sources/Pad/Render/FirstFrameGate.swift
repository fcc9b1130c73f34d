/// Delays the first frame until its words are typeset, for half a second at most.
struct FirstFrameGate {
  /// When the frame is shown without words; nil: no frame waits.
  private(set) var deadline: Int64?
  private var hasShown = false

  /// How long the frame waits, in nanoseconds.
  private static let limit: Int64 = 500_000_000

  init(now: Int64) { deadline = now + FirstFrameGate.limit }

  /// The words are typeset.
  mutating func hasWords() { deadline = nil }

  /// Whether no frame waits.
  var isOver: Bool { deadline == nil }

  /// Whether a frame may be shown at `now`.
  mutating func mayBeShown(at now: Int64) -> Bool {
    if let deadline, now >= deadline { self.deadline = nil }
    return isOver
  }

  /// A frame was shown. Returns whether it is the first.
  mutating func isShownFirst() -> Bool {
    defer { hasShown = true }
    return !hasShown
  }
}
