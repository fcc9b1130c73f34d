internal import Ink
internal import Touch

/// Passes contacts to the pad while it is visible. Pure.
///
/// After opening, passes only contacts that have come down since: the person did not see the pad
/// when earlier ones came down.
struct ContactGate {
  private enum State {
    case closed
    /// Open since this time (CLOCK_MONOTONIC, nanoseconds); no contact has come down since.
    case open(since: Int64)
    /// Passes this contact and later ones.
    case passing(from: Int32)
  }

  private var state = State.closed

  /// A closed gate.
  init() {}

  var isOpen: Bool {
    if case .closed = state { return false }
    return true
  }

  /// Passes contacts that come down at `now` or later. Has no effect on an open gate.
  mutating func open(at now: Int64) {
    if case .closed = state { state = .open(since: now) }
  }

  /// Passes nothing.
  mutating func close() { state = .closed }

  /// Whether a report of a contact passes. Contacts are numbered in the order in which they came down.
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
      // Follows the numbers, so that a number used again counts as later.
      if distance > Self.range / 2 {
        state = .passing(from: Self.number(first, plus: distance / 2))
      }
      return true
    }
  }

  /// Half of the numbers: 0 follows Int32.max.
  private static let range = Int32.max / 2

  private static func distance(from first: Int32, to other: Int32) -> Int32 {
    (other &- first) & .max
  }

  private static func number(_ first: Int32, plus distance: Int32) -> Int32 {
    (first &+ distance) & .max
  }
}
