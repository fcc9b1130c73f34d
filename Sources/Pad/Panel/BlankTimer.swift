/// When the panel goes dark because nobody signs, and which touch wakes it.
///
/// It goes dark over a contact that lies still, too: a thing that was put down is no reason to shine. That one
/// wakes it when it moves. What draws then is up to `ContactGate`.
struct BlankTimer {
  /// Nanoseconds without a touch; nil: never.
  private let after: Int64?
  private var lastTouch: Int64
  private var isBlanked = false

  init(after: Int64?, now: Int64) {
    self.after = after
    lastTouch = now
  }

  /// When `shouldRest` must be asked, if at all.
  var deadline: Int64? {
    guard let after, !isBlanked else { return nil }
    return lastTouch + after
  }

  /// Whether to go dark at `now`.
  mutating func shouldRest(at now: Int64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    isBlanked = true
    return true
  }

  /// Somebody is waited for: the panel does not go dark. True if it has to be woken.
  mutating func stir(at now: Int64) -> Bool {
    defer { isOver(at: now) }
    return isBlanked
  }

  /// The panel is lit for another reason than a touch: its terminal is shown again, or it cannot rest.
  mutating func isOver(at now: Int64) {
    isBlanked = false
    lastTouch = now
  }

  /// A contact was reported at `time`. True if the panel has to be woken.
  mutating func touched(at time: Int64) -> Bool {
    // What is stated anew after another program had the touchscreen may carry an old time.
    lastTouch = max(lastTouch, time)
    defer { isBlanked = false }
    return isBlanked
  }
}
