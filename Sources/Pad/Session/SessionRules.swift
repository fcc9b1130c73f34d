/// What the configuration says about a session. Spans are nanoseconds.
public struct SessionRules: Equatable, Sendable {
  /// Whether everybody may sign at any time (stand-alone), or only who is asked to.
  public var invites = true
  /// Without a touch for so long, ink is wiped; nil: never.
  public var abandonment: Int64?
  /// How long "saved" stays.
  public var acknowledgement: Int64 = 1_200_000_000
  /// How long "cancelled" and "time is up" stay.
  public var notice: Int64 = 2_000_000_000

  /// Stand-alone.
  public init() {}
}
