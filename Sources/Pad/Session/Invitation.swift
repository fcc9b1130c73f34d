public import Screen

/// A request for a signature as the session sees it.
public struct Invitation: Equatable, Sendable {
  /// Counts requests.
  public var number: Int64
  /// How long the person may take, in nanoseconds; nil: as long as it takes.
  public var timeLimit: Int64?
  /// Where its parts are.
  public var layout: Layout

  /// A request.
  public init(number: Int64, timeLimit: Int64? = nil, layout: Layout) {
    self.number = number
    self.timeLimit = timeLimit
    self.layout = layout
  }
}
