internal import CLinux

/// An eventfd(2): wakes another thread out of poll(2). Signalling neither allocates nor blocks.
public struct EventDescriptor: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// For poll(2).
  public var number: Int32 { descriptor.number }

  /// Creates one that is not signalled.
  public init() throws(Errno) {
    descriptor = FileDescriptor(
      owning: try Errno.check { eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)) })
  }

  /// Makes the descriptor readable. A full counter already is, so the result does not matter.
  public borrowing func signal() {
    var one: UInt64 = 1
    _ = unsafe write(number, &one, 8)
  }

  /// Makes it unreadable again.
  public borrowing func clear() {
    var count: UInt64 = 0
    _ = unsafe read(number, &count, 8)
  }
}
