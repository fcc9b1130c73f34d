internal import Spool

/// What becomes of an item when all sinks are done with it.
enum Settlement: Equatable, Sendable {
  /// All have it, the last of them this one.
  case settle(ItemID, last: Int)
  /// Some will never take it; or it is no item, or it ends the program.
  case fail(ItemID, reason: String)

  var id: ItemID {
    switch self {
    case .settle(let id, _), .fail(let id, _): id
    }
  }
}
