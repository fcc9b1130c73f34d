/// Delays the end of a grab until no contact is on the glass. Pure: times are parameters, in nanoseconds.
///
/// Other programs would otherwise receive the end of a contact whose beginning they did not see.
struct GrabRelease {
  /// The longest delay. A contact that never ends must not keep the touchscreen from other
  /// programs.
  static let limit: Int64 = 5_000_000_000

  /// When the grab ends at the latest; nil: no end is delayed.
  private(set) var deadline: Int64?

  /// Requests the end of the grab. Returns whether it ends now.
  mutating func ask(isTouched: Bool, at now: Int64) -> Bool {
    deadline = isTouched ? now + Self.limit : nil
    return !isTouched
  }

  /// Withdraws the request to end the grab.
  mutating func cancel() { deadline = nil }

  /// Returns whether a delayed grab ends now.
  mutating func isDue(isTouched: Bool, at now: Int64) -> Bool {
    guard let deadline, !isTouched || now >= deadline else { return false }
    self.deadline = nil
    return true
  }

  /// The timeout for poll(2) in milliseconds, of this and another one; −1 without one.
  func milliseconds(_ other: Int32, at now: Int64) -> Int32 {
    guard let deadline else { return other }
    let own = Int32(clamping: max(0, (deadline - now + 999_999) / 1_000_000))
    return other < 0 ? own : min(own, other)
  }
}
