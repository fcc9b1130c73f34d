internal import CLinux

/// A queue of messages from any thread to a thread that waits in poll(2).
///
/// It locks and may allocate; do not use it for samples.
@safe public final class Mailbox<Message: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var messages: [Message] = []
  private let event: EventDescriptor

  /// The descriptor for poll(2): readable while messages are queued.
  public var number: Int32 { event.number }

  /// An empty mailbox.
  public init() throws(Errno) {
    event = try EventDescriptor()
    // A mutex must not move, so it is allocated on the heap.
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    // Priority inheritance: a real-time thread must not wait for a preempted lock owner.
    unsafe pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT))
    unsafe pthread_mutex_init(lock, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Appends a message and wakes the reader.
  public func post(_ message: Message) {
    unsafe pthread_mutex_lock(lock)
    messages.append(message)
    unsafe pthread_mutex_unlock(lock)
    event.signal()
  }

  /// Removes and returns all messages in the order of posting.
  public func takeAll() -> [Message] {
    event.clear()
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    guard !messages.isEmpty else { return [] }
    let taken = messages
    messages.removeAll()
    return taken
  }

  /// Waits for messages, and passes each to `body` until that returns false. Discards the messages behind that one.
  public func receive(_ body: (Message) -> Bool) {
    var poll = Poll()
    poll.add(number)
    while true {
      // After a failed wait, the mailbox is empty.
      _ = try? poll.wait()
      for message in takeAll() where !body(message) { return }
    }
  }
}

/// Wakes another thread from poll(2) by an eventfd(2).
///
/// Signalling neither allocates nor blocks.
public struct EventDescriptor: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// The descriptor for poll(2).
  public var number: Int32 { descriptor.number }

  /// Creates an eventfd that is not signalled.
  public init() throws(Errno) {
    descriptor = FileDescriptor(
      owning: try Errno.check { eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)) })
  }

  /// Makes the descriptor readable.
  public borrowing func signal() {
    // The write fails only if the counter is full, and the descriptor is readable then.
    var one: UInt64 = 1
    _ = unsafe write(number, &one, 8)
  }

  /// Makes the descriptor unreadable until the next signal.
  public borrowing func clear() {
    var count: UInt64 = 0
    _ = unsafe read(number, &count, 8)
  }
}
