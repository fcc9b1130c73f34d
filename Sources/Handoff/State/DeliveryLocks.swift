internal import CLinux
internal import Linux
internal import Spool

/// The locks of the items that are being delivered, one for each sink.
///
/// Released when the outcome is recorded, so that `paraph spool erase` can tell which sinks have an item.
final class DeliveryLocks {
  /// Whether a delivery may begin.
  enum Answer: Equatable {
    /// The item is locked. Or its folder cannot be opened, and the sink's thread reports the
    /// reason.
    case begun
    /// The item left `new`. Another sink may still have it in memory.
    case gone
    /// Another program holds the lock, because it erases the item or has not published it
    /// completely.
    case locked
    /// No item can be locked: this program lacks descriptors or memory, or the device is gone.
    case unavailable(SystemError)
  }

  private final class Held {
    private let lock: DeliveryLock

    init(on id: ItemID, spool: String) throws(SystemError) {
      lock = try DeliveryLock(on: id, spool: spool)
    }
  }

  private let spool: String
  private var held: [Held?]

  /// `spool`: its path.
  init(sinks: Int, spool: String) {
    self.spool = spool
    held = Array(repeating: nil, count: sinks)
  }

  /// Locks an item before its delivery.
  func begin(_ id: ItemID, for sink: Int) -> Answer {
    do throws(SystemError) {
      held[sink] = try Held(on: id, spool: spool)
      return .begun
    } catch { return answer(to: error) }
  }

  /// What an error of the lock says about the delivery.
  func answer(to error: SystemError) -> Answer {
    if error.concernsAllItems { return .unavailable(error) }
    switch error.errno.rawValue {
    // Without the spool, nothing is known of the item.
    case ENOENT: return (try? FileStatus(of: spool + "/new")).hasValue ? .gone : .begun
    case EWOULDBLOCK: return .locked
    default: return .begun
    }
  }

  /// The outcome of the sink's delivery is recorded.
  func end(_ sink: Int) { held[sink] = nil }
}
