internal import JSON

/// The pad's state, as replies and events describe it.
struct PadStatus {
  let state: PadState
  /// The end of the open request's time limit, CLOCK_MONOTONIC; nil: no limit.
  private let deadline: Int64?
  /// The page that the person reads, from 1.
  private let page: Int?

  init(_ state: PadState, deadline: Int64? = nil, page: Int? = nil) {
    self.state = state
    self.deadline = deadline
    self.page = page
  }

  /// The members of the interface's object.
  func members(at now: Int64) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("state", .text(state.rawValue))]
    if let deadline {
      members.append(("seconds_left", .real(Double(max(0, deadline - now)) / 1_000_000_000)))
    }
    if let page { members.append(("page", .integer(page))) }
    return members
  }
}
