internal import JSON

/// The pad's state, as replies and events describe it.
struct PadStatus {
  let state: PadState
  /// The end of the open request's time limit, CLOCK_MONOTONIC; nil: no limit.
  private let deadline: Int64?

  init(_ state: PadState, deadline: Int64? = nil) {
    self.state = state
    self.deadline = deadline
  }

  /// The members of the interface's object.
  func members(at now: Int64) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("state", .text(state.rawValue))]
    if let deadline {
      members.append(("seconds_left", .real(Double(max(0, deadline - now)) / 1_000_000_000)))
    }
    return members
  }
}
