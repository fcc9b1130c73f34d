internal import CLinux

/// Messages from any thread to one that sleeps in poll(2). For everything that is not a sample: it
/// locks and may allocate.
@safe public final class Mailbox<Message: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var messages: [Message] = []
  private let event: EventDescriptor

  /// For poll(2): readable while messages wait.
  public var number: Int32 { event.number }

  /// An empty mailbox.
  public init() throws(Errno) {
    event = try EventDescriptor()
    // A mutex keeps its own address: it lives on the heap.
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    // A thread with real-time priority must not wait for one that is kept from running.
    unsafe pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT))
    unsafe pthread_mutex_init(lock, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Adds a message and wakes the reader.
  public func post(_ message: Message) {
    unsafe pthread_mutex_lock(lock)
    messages.append(message)
    unsafe pthread_mutex_unlock(lock)
    event.signal()
  }

  /// All messages that wait, in the order in which they were posted.
  public func takeAll() -> [Message] {
    event.clear()
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    guard !messages.isEmpty else { return [] }
    let taken = messages
    messages.removeAll()
    return taken
  }
}
