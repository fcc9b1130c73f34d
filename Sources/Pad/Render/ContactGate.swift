internal import Ink
internal import Touch

/// Passes contacts to the pad only while the pad is visible. Pure.
///
/// Once it is open, contacts pass that came down since. One that is still down from before has to be lifted
/// first: nobody saw what it came down on.
struct ContactGate {
  private enum State {
    case closed
    /// Open since this moment (CLOCK_MONOTONIC, nanoseconds); no contact has come down since.
    case open(since: Int64)
    /// Passes this contact and those after it.
    case passing(from: Int32)
  }

  private var state = State.closed

  /// Closed.
  init() {}

  /// Whether contacts can pass.
  var isOpen: Bool {
    if case .closed = state { return false }
    return true
  }

  /// Passes contacts that come down at `now` or later. Has no effect while it is open.
  mutating func open(at now: Int64) {
    if case .closed = state { state = .open(since: now) }
  }

  /// Passes nothing.
  mutating func close() { state = .closed }

  /// Whether the pad receives this report. Contacts are numbered in the order in which they came down.
  mutating func passes(_ contact: GlassContact) -> Bool {
    switch state {
    case .closed: return false
    case .open(let since):
      guard contact.phase == .down, contact.sample.time >= since else { return false }
      state = .passing(from: contact.contact)
      return true
    case .passing(let first):
      let distance = Self.distance(from: first, to: contact.contact)
      guard distance <= Self.range else { return false }
      // Follows the numbers: one that is used anew, after all others, is a later contact's.
      if distance > Self.range / 2 {
        state = .passing(from: Self.number(first, plus: distance / 2))
      }
      return true
    }
  }

  /// Half of the numbers that there are: 0 follows Int32.max.
  private static let range = Int32.max / 2

  private static func distance(from first: Int32, to other: Int32) -> Int32 {
    (other &- first) & .max
  }

  private static func number(_ first: Int32, plus distance: Int32) -> Int32 {
    (first &+ distance) & .max
  }
}
