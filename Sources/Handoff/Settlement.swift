internal import Spool

/// What has to be on the disk before a sink gets its next item: then a crash repeats at most one
/// delivery of each sink.
enum Settlement: Equatable, Sendable {
  /// One sink is done, others are not.
  case note(SinkState, sink: String, ItemID)
  /// All sinks have it, the last of them this one.
  case settle(ItemID, last: String)
  /// All sinks are done, and some will never take it; or it is no item.
  case fail(ItemID, reason: String)

  var id: ItemID {
    switch self {
    case .note(_, _, let id), .settle(let id, _), .fail(let id, _): id
    }
  }
}
