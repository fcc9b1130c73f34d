/// What a sink answers about an item.
public enum Outcome: Equatable, Sendable {
  /// The receiver has it, durably.
  case delivered
  /// Not now: why, and the pause that the receiver asked for, in nanoseconds.
  case later(String, pause: Int64? = nil)
  /// Not ever: why.
  case never(String)
}
