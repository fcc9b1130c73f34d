internal import CLinux

/// Waits for a small fixed set of descriptors (poll(2)).
///
/// Waiting allocates nothing. Use `EventPoll` for many descriptors, or for a set that is itself polled.
public struct Poll: ~Copyable {
  private var entries: [pollfd] = []

  /// An empty set.
  public init() {}

  /// Adds a descriptor to wait for input on, and returns its index.
  ///
  /// - Parameters:
  ///   - descriptor: A negative number reserves an index; the kernel ignores it.
  ///   - output: Whether to wait for output, too.
  @discardableResult
  public mutating func add(_ descriptor: Int32, output: Bool = false) -> Int {
    entries.append(pollfd(fd: descriptor, events: Self.events(output), revents: 0))
    return entries.count - 1
  }

  /// Replaces the descriptor at an index.
  public mutating func replace(_ place: Int, with descriptor: Int32, output: Bool = false) {
    entries[place] = pollfd(fd: descriptor, events: Self.events(output), revents: 0)
  }

  private static func events(_ output: Bool) -> Int16 { Int16(output ? POLLIN | POLLOUT : POLLIN) }

  /// Waits until a descriptor is ready, at most `milliseconds` (−1: no limit).
  ///
  /// Returns false after the time limit or a signal.
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

  /// Waits until a descriptor is ready, at most until `deadline` (CLOCK_MONOTONIC, in nanoseconds; nil: no limit).
  ///
  /// Returns false after the time limit or a signal.
  @discardableResult
  public mutating func wait(until deadline: Int64?) throws(Errno) -> Bool {
    guard let deadline else { return try wait() }
    let left = deadline - MonotonicClock.now
    return try wait(milliseconds: left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1))
  }

  /// Whether the descriptor at an index is readable.
  public func isReadable(_ place: Int) -> Bool { entries[place].revents & Int16(POLLIN) != 0 }

  /// Whether the descriptor at an index is writable, if it was added with `output`.
  public func isWritable(_ place: Int) -> Bool { entries[place].revents & Int16(POLLOUT) != 0 }

  /// Whether the descriptor at an index hung up or failed (POLLHUP, POLLERR, POLLNVAL).
  ///
  /// The state persists, and each later wait returns at once: replace the descriptor.
  public func isGone(_ place: Int) -> Bool {
    entries[place].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
  }
}
