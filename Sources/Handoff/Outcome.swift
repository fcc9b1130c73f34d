/// What a sink answers about an item.
public enum Outcome: Equatable, Sendable {
  /// The receiver has it, durably.
  case delivered
  /// Not now: why, and the pause that the receiver asked for, in nanoseconds.
  case later(String, pause: Int64? = nil)
  /// It is rejected: why. That may be the receiver's or the configuration's fault as well as the item's; see
  /// `SinkQueue`.
  case never(String)

  /// The same with the receiver before the reason.
  func naming(_ receiver: String) -> Outcome {
    switch self {
    case .delivered: .delivered
    case .later(let reason, let pause): .later("\(receiver): \(reason)", pause: pause)
    case .never(let reason): .never("\(receiver): \(reason)")
    }
  }
}
