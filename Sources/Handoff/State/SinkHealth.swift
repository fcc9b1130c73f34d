internal import Synchronization

/// Connection state of a sink, from its thread for the main thread's metrics.
final class SinkHealth: Sendable {
  private let connection = Atomic<Int>(0)
  private let conflicts = Atomic<Int>(0)
  private let rejectedStatus = Atomic<Int>(0)
  /// One for each case of `FailureKind`, in their order. Objects, because Swift 6.3.1 crashes at an `InlineArray` of
  /// atomics in Embedded Swift.
  private let failures = FailureKind.allCases.map { _ in Count() }

  /// Whether the sink is connected; nil: it keeps no connection.
  var isConnected: Bool? {
    switch connection.load(ordering: .relaxed) {
    case 0: nil
    case 1: false
    default: true
    }
  }

  /// How often another client with the same client id ended the connection.
  var conflictCount: Int { conflicts.load(ordering: .relaxed) }

  func setConnected(_ isConnected: Bool) {
    connection.store(isConnected ? 2 : 1, ordering: .relaxed)
  }

  /// How many status messages the receiver rejected.
  var rejectedStatusCount: Int { rejectedStatus.load(ordering: .relaxed) }

  func countRejectedStatus() { rejectedStatus.wrappingAdd(1, ordering: .relaxed) }

  /// How many connections failed or ended between deliveries, by `FailureKind` in the order of its cases.
  var failureCounts: [UInt64] {
    failures.map { UInt64(clamping: $0.value.load(ordering: .relaxed)) }
  }

  /// A connection failed or ended while no delivery waited for it, so that no delivery reports it.
  func countFailure(_ kind: FailureKind) {
    guard let index = FailureKind.allCases.firstIndex(of: kind) else { return }
    failures[index].value.wrappingAdd(1, ordering: .relaxed)
  }

  func countConflict() { conflicts.wrappingAdd(1, ordering: .relaxed) }

  private final class Count: Sendable {
    let value = Atomic<Int>(0)
  }
}
