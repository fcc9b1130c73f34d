/// The out-of-service reasons that were logged. Two that alternate are logged once each.
struct LoggedReasons {
  /// Beyond these, the oldest is forgotten.
  private static let limit = 8

  private var reasons: [String] = []

  /// Returns whether the reason is to be logged.
  mutating func add(_ reason: String) -> Bool {
    if reasons.contains(reason) { return false }
    if reasons.count == Self.limit { reasons.removeFirst() }
    reasons.append(reason)
    return true
  }
}
