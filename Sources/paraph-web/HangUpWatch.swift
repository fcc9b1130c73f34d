internal import CLinux
internal import Linux

/// Reports clients that disconnect while they wait for a response: libmicrohttpd does not poll their sockets then.
///
/// The kernel reports EPOLLRDHUP even if the client has sent more that nobody has read. A client that only ends its
/// own side counts as gone, too: no browser and no HTTP library does that.
final class HangUpWatch {
  private let descriptor: FileDescriptor

  init() throws(Errno) {
    descriptor = FileDescriptor(owning: try Errno.check { epoll_create1(Int32(EPOLL_CLOEXEC)) })
  }

  /// For poll(2).
  var number: Int32 { descriptor.number }

  /// Watches a client's socket. One that is watched already stays.
  func add(_ socket: Int32, _ client: Int) {
    var event = unsafe epoll_event()
    // Once, because libmicrohttpd needs a moment to close the socket.
    unsafe event.events = EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
    unsafe event.data.u64 = UInt64(client)
    unsafe epoll_ctl(number, EPOLL_CTL_ADD, socket, &event)
  }

  /// Ends watching a socket, before it is closed or serves another request.
  func remove(_ socket: Int32) {
    var event = unsafe epoll_event()
    unsafe epoll_ctl(number, EPOLL_CTL_DEL, socket, &event)
  }

  /// The clients that have disconnected, at most 64.
  func gone() -> [Int] {
    var events = unsafe [epoll_event](repeating: epoll_event(), count: 64)
    let count = unsafe epoll_wait(number, &events, 64, 0)
    return unsafe events.prefix(max(0, Int(count))).map { unsafe Int($0.data.u64) }
  }
}
