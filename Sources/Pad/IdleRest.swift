/// When the panel goes dark because nobody signs, and that the touch which wakes it does not draw.
struct IdleRest {
  /// Nanoseconds without a touch; nil: never.
  private let after: Int64?
  private var lastTouch: Int64
  private var isResting = false
  /// The contact that woke the panel is let go until it is lifted.
  private var isSwallowing = false

  init(after: Int64?, now: Int64) {
    self.after = after
    lastTouch = now
  }

  /// When `shouldRest` must be asked, if at all.
  var deadline: Int64? {
    guard let after, !isResting else { return nil }
    return lastTouch + after
  }

  /// Whether to go dark at `now`.
  mutating func shouldRest(at now: Int64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    isResting = true
    return true
  }

  /// Somebody is waited for: the panel does not go dark. True if it has to be woken.
  mutating func stir(at now: Int64) -> Bool {
    defer { isOver(at: now) }
    return isResting
  }

  /// The panel is lit for another reason than a touch: its terminal is shown again, or it cannot rest.
  mutating func isOver(at now: Int64) {
    isResting = false
    lastTouch = now
  }

  /// What a contact means.
  enum Meaning: Equatable {
    /// It is for the pad.
    case pad
    /// It only wakes the panel.
    case wake
    /// It belongs to the touch that woke the panel.
    case nothing
  }

  /// A contact was reported; `ends` when it is gone with this.
  mutating func touched(at now: Int64, ends: Bool) -> Meaning {
    lastTouch = now
    defer { if ends { isSwallowing = false } }
    if isResting {
      isResting = false
      isSwallowing = true
      return .wake
    }
    return isSwallowing ? .nothing : .pad
  }
}
