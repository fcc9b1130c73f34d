internal import CLinux

/// An epoll(7): descriptors with a number of the caller's each, as one that others poll. It does not wait
/// itself, see `Poll`.
public struct EventPoll: ~Copyable {
  /// What is waited for, besides the other side's hanging up.
  public struct Interest: Equatable, Sendable {
    /// It can be read.
    public var input: Bool
    /// It can be written.
    public var output: Bool

    /// What is waited for.
    public init(input: Bool, output: Bool) {
      self.input = input
      self.output = output
    }
  }

  /// What is the case.
  public struct Event: Equatable, Sendable {
    /// The number that the descriptor was added with.
    public let key: Int
    /// It can be read, or has ended.
    public let canRead: Bool
    /// It can be written.
    public let canWrite: Bool
    /// Nobody is there any more (EPOLLHUP, EPOLLERR).
    public let isGone: Bool
  }

  private let descriptor: FileDescriptor

  /// For poll(2): readable while any of them is ready.
  public var number: Int32 { descriptor.number }

  /// An empty set.
  public init() throws(Errno) {
    descriptor = FileDescriptor(owning: try Errno.check { epoll_create1(Int32(EPOLL_CLOEXEC)) })
  }

  /// Adds a descriptor, to be read unless something else is said. It leaves the set when it is closed.
  public borrowing func add(
    _ descriptor: Int32, key: Int, _ interest: Interest = Interest(input: true, output: false)
  ) throws(Errno) {
    try control(EPOLL_CTL_ADD, descriptor, key, interest)
  }

  /// Changes what is waited for.
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

  /// What is ready now, at most 64 of them; waits for nothing.
  public borrowing func ready() throws(Errno) -> [Event] {
    var events: [Event] = []
    try ready { events.append($0) }
    return events
  }

  /// The same one after the other: allocates nothing.
  public borrowing func ready(_ body: (Event) -> Void) throws(Errno) {
    let number = number
    var events = unsafe InlineArray<64, epoll_event>(repeating: epoll_event())
    var span = unsafe events.mutableSpan
    let count = try unsafe span.withUnsafeMutableBufferPointer { events throws(Errno) -> Int32 in
      // glibc 2.36 declares it for a null pointer too, glibc 2.41 does not.
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
