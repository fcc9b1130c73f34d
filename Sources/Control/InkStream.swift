internal import Ink
internal import JSON

/// The ink for clients that watch it, with times since its first sample.
struct InkStream {
  private var isWatched = false
  /// The time that counts as 0; nil: that of the next sample.
  private var start: Int64?

  /// Records whether clients watch; returns whether that is new.
  mutating func watch(_ isWatched: Bool) -> Bool {
    if isWatched == self.isWatched { return false }
    (self.isWatched, start) = (isWatched, nil)
    return true
  }

  /// The next ink is that of another signature.
  mutating func restart() { start = nil }

  /// The interface's array of `InkStep`.
  mutating func json(_ steps: [ControlEvent.InkStep]) -> JSONValue {
    var values: [JSONValue] = []
    for step in steps {
      switch step {
      case .begins(let sample), .goesOn(let sample), .goesOnAfterGap(let sample):
        start = start ?? sample.time
      case .wiped: start = nil
      case .ends, .undone: break
      }
      values.append(step.json(since: start ?? 0))
    }
    return .array(values)
  }
}
