import Glibc
import Linux

/// A file that cannot be read for a moment, without root and without a disk that fails: to open it throws EAGAIN.
///
/// It has a lease (fcntl(2), F_SETLEASE), which makes an open that must not wait fail until the kernel ends it after 45 s.
public final class LeasedFile: Sendable {
  private let file: FileDescriptor

  private static let (setSignal, setLease): (Int32, Int32) = (10, 1024)
  private static let (write, none): (Int32, Int32) = (1, 2)

  /// Takes the lease on a file that nobody has open.
  public init(_ path: String) throws {
    file = try FileDescriptor(opening: path, O_RDWR)
    // SIGIO, which tells of another's open by default, would end the tests.
    guard fcntl(file.number, Self.setSignal, SIGURG) != -1,
      fcntl(file.number, Self.setLease, Self.write) != -1
    else { throw Errno.current }
  }

  /// Lets the file be read again.
  public func release() { _ = fcntl(file.number, Self.setLease, Self.none) }
}
