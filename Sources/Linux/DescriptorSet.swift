internal import CLinux

/// An epoll(7) of a few descriptors, as one descriptor that others poll: readable while any of them is.
public struct DescriptorSet: ~Copyable {
  private let descriptor: FileDescriptor

  /// For poll(2).
  public var number: Int32 { descriptor.number }

  /// An empty set.
  public init() throws(Errno) {
    descriptor = FileDescriptor(owning: try Errno.check { epoll_create1(Int32(EPOLL_CLOEXEC)) })
  }

  /// Adds one. It leaves the set when it is closed.
  public borrowing func add(_ descriptor: Int32) throws(Errno) {
    let number = number
    var event = unsafe epoll_event()
    unsafe event.events = EPOLLIN.rawValue
    _ = try Errno.check { unsafe epoll_ctl(number, EPOLL_CTL_ADD, descriptor, &event) }
  }

  /// Takes one out.
  public borrowing func remove(_ descriptor: Int32) {
    _ = epoll_ctl(number, EPOLL_CTL_DEL, descriptor, nil)
  }
}
