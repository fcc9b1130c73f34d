/// Blanks the panel of an unused pad, and unblanks it at a contact.
///
/// A motionless contact does not keep the panel on; it unblanks it when it moves. `ContactGate` decides what draws then.
struct BlankTimer {
  /// Nanoseconds without a contact; nil: never.
  private let after: Int64?
  private var lastContact: Int64
  private var isBlanked = false

  /// Starts at `now`.
  init(after: Int64?, now: Int64) {
    self.after = after
    lastContact = now
  }

  /// When to call `shouldBlank`; nil: never.
  var deadline: Int64? {
    guard let after, !isBlanked else { return nil }
    return lastContact + after
  }

  /// Whether to blank the panel at `now`.
  mutating func shouldBlank(at now: Int64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    isBlanked = true
    return true
  }

  /// A request is open, which keeps the panel on. Returns whether to unblank it.
  mutating func requestIsOpen(at now: Int64) -> Bool {
    defer { restart(at: now) }
    return isBlanked
  }

  /// The panel is on for another reason than a contact: its terminal is shown again, or it cannot be blanked.
  mutating func restart(at now: Int64) {
    isBlanked = false
    lastContact = now
  }

  /// A contact was reported at `time`. Returns whether to unblank the panel.
  mutating func touched(at time: Int64) -> Bool {
    // A report that is repeated after another program had the touchscreen may be older.
    lastContact = max(lastContact, time)
    defer { isBlanked = false }
    return isBlanked
  }
}
