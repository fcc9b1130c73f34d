internal import CLinux

/// poll(2) over a fixed set of descriptors: where a thread waits. It allocates nothing meanwhile. What shall
/// look like one descriptor to others, or may be many, is an `EventPoll`.
public struct Poll: ~Copyable {
  private var entries: [pollfd] = []

  /// An empty set.
  public init() {}

  /// Adds a descriptor to wait for input on, and returns its place. A negative number is ignored by
  /// the kernel: a place can be reserved with it.
  /// `output`: wait also until it can be written to.
  @discardableResult
  public mutating func add(_ descriptor: Int32, output: Bool = false) -> Int {
    entries.append(pollfd(fd: descriptor, events: Self.events(output), revents: 0))
    return entries.count - 1
  }

  /// Puts another descriptor into a place.
  public mutating func replace(_ place: Int, with descriptor: Int32, output: Bool = false) {
    entries[place] = pollfd(fd: descriptor, events: Self.events(output), revents: 0)
  }

  private static func events(_ output: Bool) -> Int16 { Int16(output ? POLLIN | POLLOUT : POLLIN) }

  /// Waits until a descriptor is ready, or for at most `milliseconds` (−1: for ever). False after the
  /// time limit or a signal.
  @discardableResult
  public mutating func wait(milliseconds: Int32 = -1) throws(Errno) -> Bool {
    let count = nfds_t(entries.count)
    let ready = unsafe entries.withUnsafeMutableBufferPointer { buffer in
      unsafe poll(buffer.baseAddress, count, milliseconds)
    }
    if ready >= 0 { return ready > 0 }
    let error = Errno.current
    for index in entries.indices { entries[index].revents = 0 }
    if error.rawValue == EINTR { return false }
    throw error
  }

  /// Whether the descriptor in a place can be read.
  public func isReadable(_ place: Int) -> Bool { entries[place].revents & Int16(POLLIN) != 0 }

  /// Whether the descriptor in a place can be written to, if that was asked for.
  public func isWritable(_ place: Int) -> Bool { entries[place].revents & Int16(POLLOUT) != 0 }

  /// Whether the descriptor in a place is gone (unplugged, closed by the other side): POLLHUP,
  /// POLLERR or POLLNVAL. It stays so, and would make the loop spin: replace it.
  public func isGone(_ place: Int) -> Bool {
    entries[place].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
  }
}
