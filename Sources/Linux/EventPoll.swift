internal import CLinux

/// A set of descriptors that is polled as one descriptor (epoll(7)).
///
/// It never waits; wait for its descriptor with `Poll`.
public struct EventPoll: ~Copyable {
  /// The events to report besides errors and hang-ups.
  public struct Interest: Equatable, Sendable {
    /// Report when the descriptor is readable.
    public var input: Bool
    /// Report when the descriptor is writable.
    public var output: Bool

    /// Interest in input, output or both.
    public init(input: Bool, output: Bool) {
      self.input = input
      self.output = output
    }
  }

  /// The state of a ready descriptor.
  public struct Event: Equatable, Sendable {
    /// The key that the descriptor was added with.
    public let key: Int
    /// Whether the descriptor is readable or at its end.
    public let canRead: Bool
    /// Whether the descriptor is writable.
    public let canWrite: Bool
    /// Whether the other side hung up or failed (EPOLLHUP, EPOLLERR).
    public let isGone: Bool
  }

  private let descriptor: FileDescriptor

  /// The epoll descriptor for poll(2): readable while a descriptor of the set is ready.
  public var number: Int32 { descriptor.number }

  /// An empty set.
  public init() throws(Errno) {
    descriptor = FileDescriptor(owning: try Errno.check { epoll_create1(Int32(EPOLL_CLOEXEC)) })
  }

  /// Adds a descriptor with the caller's key. Closing the descriptor removes it.
  public borrowing func add(
    _ descriptor: Int32, key: Int, _ interest: Interest = Interest(input: true, output: false)
  ) throws(Errno) {
    try control(EPOLL_CTL_ADD, descriptor, key, interest)
  }

  /// Changes the interest in a descriptor.
  public borrowing func change(_ descriptor: Int32, key: Int, _ interest: Interest) throws(Errno) {
    try control(EPOLL_CTL_MOD, descriptor, key, interest)
  }

  private borrowing func control(
    _ operation: Int32, _ descriptor: Int32, _ key: Int, _ interest: Interest
  ) throws(Errno) {
    let number = number
    var event = unsafe epoll_event()
    unsafe event.events =
      (interest.input ? EPOLLIN.rawValue : 0) | (interest.output ? EPOLLOUT.rawValue : 0)
    unsafe event.data.u64 = UInt64(key)
    _ = try Errno.check { unsafe epoll_ctl(number, operation, descriptor, &event) }
  }

  /// Returns at most 64 ready descriptors without waiting.
  public borrowing func ready() throws(Errno) -> [Event] {
    var events: [Event] = []
    try ready { events.append($0) }
    return events
  }

  /// Calls `body` with at most 64 ready descriptors without waiting. Allocates nothing.
  public borrowing func ready(_ body: (Event) -> Void) throws(Errno) {
    let number = number
    var events = unsafe InlineArray<64, epoll_event>(repeating: epoll_event())
    var span = unsafe events.mutableSpan
    let count = try unsafe span.withUnsafeMutableBufferPointer { events throws(Errno) -> Int32 in
      // glibc 2.41 declares the argument as non-null, glibc 2.36 does not.
      guard let first = events.baseAddress else { return 0 }
      return try Errno.check { unsafe epoll_wait(number, first, 64, 0) }
    }
    for index in 0..<Int(count) {
      let event = unsafe span[index]
      let mask = unsafe event.events
      body(
        unsafe Event(
          key: Int(event.data.u64), canRead: mask & EPOLLIN.rawValue != 0,
          canWrite: mask & EPOLLOUT.rawValue != 0,
          isGone: mask & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0))
    }
  }
}
