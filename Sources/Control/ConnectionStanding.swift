/// How well a connection is protected when the table is full: the lowest standing is closed first.
struct ConnectionStanding: Comparable {
  /// What tells most, from what is closed first to what is closed last.
  enum Group: Int {
    /// It has taken no byte of its output for a tenth of a second.
    case stalled
    /// It has not begun to read its reply.
    case unread
    /// It calls more often than programs do.
    case busy
    /// It waits for nothing.
    case idle
    /// It reads its reply, or waits for one.
    case active
    /// It was accepted a moment ago, and its first call may be on its way.
    case new
    /// It watches, or has not read the signature that it asked for.
    case kept
  }

  /// For this time after it was accepted a connection is new, and one that reads may pause, in nanoseconds.
  static let moment: Int64 = 100_000_000

  let group: Group
  /// Of the same group the lowest is closed first.
  private let order: Int64
  private let id: Int

  /// Nil: it has an open request, and is never closed for another.
  init?(_ connection: Connection, _ occupation: ControlService.Occupation, at now: Int64) {
    if occupation == .request { return nil }
    let output = connection.output
    let isPaused = !output.isEmpty && now - output.progress >= ConnectionStanding.moment
    let isNew =
      !connection.isAnswered && now - connection.lastMessage < ConnectionStanding.moment
    let group: Group =
      if !connection.unread.isEmpty {
        .kept
      } else if isPaused {
        .stalled
      } else if occupation == .watching {
        .kept
      } else if !output.isEmpty && !output.isBeingRead {
        .unread
      } else if connection.isBusy(at: now) {
        .busy
      } else if !output.isEmpty || occupation == .waiting {
        .active
      } else {
        isNew ? .new : .idle
      }
    self.group = group
    order =
      switch group {
      case .stalled, .unread: output.progress
      case .busy: -Int64(connection.calls(at: now))
      case .idle, .active, .new, .kept: connection.lastMessage
      }
    id = connection.id
  }

  static func < (left: ConnectionStanding, right: ConnectionStanding) -> Bool {
    (left.group.rawValue, left.order, left.id) < (right.group.rawValue, right.order, right.id)
  }
}
