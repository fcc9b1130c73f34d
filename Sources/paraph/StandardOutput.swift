import CLinux
import Linux

/// Buffered standard output that reports errors.
struct StandardOutput: ~Copyable {
  private var buffer: [UInt8] = []

  /// Adds a line.
  mutating func line(_ text: String) throws(ToolError) {
    try line { $0 += text.utf8 }
  }

  /// Adds a line that is written byte by byte, without a string for each.
  mutating func line(_ write: (inout [UInt8]) -> Void) throws(ToolError) {
    write(&buffer)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Adds a text as it is.
  mutating func write(_ text: String) throws(ToolError) {
    buffer += text.utf8
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Writes what is buffered. Call it at the end.
  mutating func flush() throws(ToolError) {
    let descriptor = FileDescriptor(owning: 1)
    let failure: Errno?
    do throws(Errno) {
      try unsafe descriptor.writeAll(buffer.span.bytes)
      failure = nil
    } catch {
      failure = error
    }
    _ = descriptor.release()
    if let failure { throw ToolError(.io, "write to standard output: \(failure.text)") }
    buffer.removeAll(keepingCapacity: true)
  }
}
