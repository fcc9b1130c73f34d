public import Spool

/// An item in a queue.
public struct QueueEntry: Equatable, Sendable {
  /// The order of signing.
  public let sequence: Int64
  /// Which.
  public let id: ItemID

  /// An item and its place in the order.
  public init(sequence: Int64, id: ItemID) {
    self.sequence = sequence
    self.id = id
  }

  /// Ids decide where a hostile manifest repeats a number.
  func precedes(_ other: QueueEntry) -> Bool {
    (sequence, id.high, id.low) < (other.sequence, other.id.high, other.id.low)
  }
}
