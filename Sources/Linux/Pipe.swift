internal import CLinux

/// pipe(2): what is written to one end is read at the other.
public struct Pipe: ~Copyable {
  /// Where bytes come out; at the end of the file when every writer is closed.
  public let reader: FileDescriptor
  /// Where they go in.
  public let writer: FileDescriptor

  /// Both ends, closed on exec.
  public init() throws(Errno) {
    var ends: (Int32, Int32) = (-1, -1)
    _ = try Errno.check {
      unsafe withUnsafeMutableBytes(of: &ends) { bytes in
        unsafe CLinux_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
      }
    }
    reader = FileDescriptor(owning: ends.0)
    writer = FileDescriptor(owning: ends.1)
  }

  /// Closes the end that is written to, and keeps the other.
  public consuming func closingWriter() -> FileDescriptor { reader }
}
