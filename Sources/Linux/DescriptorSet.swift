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

  /// Adds one. It leaves the set when it is closed. `place`, 0…31, is what `ready` calls it.
  public borrowing func add(_ descriptor: Int32, place: Int = 0) throws(Errno) {
    let number = number
    var event = unsafe epoll_event()
    unsafe event.events = EPOLLIN.rawValue
    unsafe event.data.u32 = UInt32(place)
    _ = try Errno.check { unsafe epoll_ctl(number, EPOLL_CTL_ADD, descriptor, &event) }
  }

  /// Those that are readable now, as a bit for each place; an error of theirs counts. Does not wait, and
  /// allocates nothing.
  public borrowing func ready() -> UInt32 {
    var events = unsafe InlineArray<8, epoll_event>(repeating: epoll_event())
    let number = number
    var span = unsafe events.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer {
      unsafe epoll_wait(number, $0.baseAddress, 8, 0)
    }
    var places: UInt32 = 0
    for index in 0..<max(0, Int(count)) { unsafe places |= 1 << span[index].data.u32 }
    return places
  }

  /// Takes one out.
  public borrowing func remove(_ descriptor: Int32) {
    _ = epoll_ctl(number, EPOLL_CTL_DEL, descriptor, nil)
  }
}
