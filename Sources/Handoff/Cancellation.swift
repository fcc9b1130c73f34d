internal import Linux
internal import Synchronization

/// Tells the sinks' threads that the program is ending: what takes long stops.
final class Cancellation: Sendable {
  private let flag = Atomic(false)
  private let event: EventDescriptor

  init() throws(Errno) { event = try EventDescriptor() }

  /// For poll(2): readable, for all threads and for good, once `cancel` was called.
  var number: Int32 { event.number }

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() {
    flag.store(true, ordering: .relaxed)
    event.signal()
  }
}
