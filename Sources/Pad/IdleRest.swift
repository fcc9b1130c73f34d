internal import Ink
internal import Touch

/// When the panel goes dark because nobody signs, and that the touch which wakes it does not draw.
///
/// It goes dark over a contact that lies still, too: a thing that was put down is no reason to shine. That one
/// wakes it as it goes on, and the pad must hear of that: it would wait for the end for ever.
struct IdleRest {
  /// Nanoseconds without a touch; nil: never.
  private let after: Int64?
  private var lastTouch: Int64
  private var isResting = false
  /// The contact that woke the panel: it, and who comes down beside it, are let go until it is lifted.
  private var swallowed: Int32?

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
  struct Meaning: Equatable {
    /// The panel is to be woken.
    var wakes: Bool
    /// The pad is to hear of it; else it belongs to the touch that woke the panel.
    var isForPad: Bool
  }

  /// A contact was reported. Their numbers only grow.
  mutating func touched(_ contact: GlassContact) -> Meaning {
    lastTouch = contact.sample.time
    let wakes = isResting
    isResting = false
    // After a gap the end of who woke the panel may have been lost.
    if contact.phase == .down, swallowed == nil || contact.isAfterGap {
      swallowed = wakes ? contact.contact : nil
    }
    let isForPad = swallowed.map { contact.contact < $0 } ?? true
    if contact.contact == swallowed, contact.phase == .up || contact.phase == .cancel {
      swallowed = nil
    }
    return Meaning(wakes: wakes, isForPad: isForPad)
  }
}
