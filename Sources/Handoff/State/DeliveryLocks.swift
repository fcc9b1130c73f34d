internal import Spool

/// The locks of the items that are being delivered, one for each sink.
///
/// Released when the outcome is recorded, so that `paraph spool erase` can tell which sinks have an item.
final class DeliveryLocks {
  private final class Held {
    private let lock: DeliveryLock

    init?(on id: ItemID, spool: String) {
      guard let lock = DeliveryLock(on: id, spool: spool) else { return nil }
      self.lock = lock
    }
  }

  private let spool: String
  private var held: [Held?]

  /// `spool`: its path.
  init(sinks: Int, spool: String) {
    self.spool = spool
    held = Array(repeating: nil, count: sinks)
  }

  /// A delivery begins. An item that is being erased is gone for its sink.
  func begin(_ id: ItemID, for sink: Int) {
    held[sink] = Held(on: id, spool: spool)
  }

  /// The outcome of the sink's delivery is recorded.
  func end(_ sink: Int) { held[sink] = nil }
}
