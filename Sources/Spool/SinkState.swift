/// How far one sink is with one item: the file `state/ID/SINK`.
public struct SinkState: Equatable, Sendable {
  /// What came of it.
  public enum Outcome: String, Sendable {
    /// Not delivered yet.
    case pending
    /// The receiver has it.
    case delivered
    /// The sink will not take it.
    case never
  }

  /// What came of it so far.
  public var outcome: Outcome
  /// How often it was tried without success.
  public var attempts: Int
  /// Why the last attempt failed; without anything personal.
  public var reason: String?
  /// Whether the last attempt was rejected, though not for good.
  public var isRejected: Bool

  /// By default, not tried yet.
  public init(
    _ outcome: Outcome = .pending, attempts: Int = 0, reason: String? = nil,
    isRejected: Bool = false
  ) {
    self.isRejected = isRejected
    self.outcome = outcome
    self.attempts = attempts
    self.reason = reason
  }
}
