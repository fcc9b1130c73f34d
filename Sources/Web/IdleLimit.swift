/// When a program that systemd starts again for the next connection ends unused.
public struct IdleLimit {
  /// Since when it is unused.
  private var since: Int64?

  /// A program that is in use.
  public init() {}

  /// When `isOver` must be asked; nil: it is in use.
  public var deadline: Int64? { since.map { $0 + WebLimits.idle } }

  /// Whether the program has been unused for long enough.
  public mutating func isOver(isUnused: Bool, at now: Int64) -> Bool {
    guard isUnused else {
      since = nil
      return false
    }
    let begun = since ?? now
    since = begun
    return now - begun >= WebLimits.idle
  }
}
