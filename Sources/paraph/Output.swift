import CLinux
import Linux

/// Buffered standard output that reports errors.
struct StandardOutput: ~Copyable {
  private var buffer: [UInt8] = []

  /// Adds a line.
  mutating func line(_ text: String) throws(ToolError) {
    try line { $0 += text.utf8 }
  }

  /// Adds a line that `write` appends to the buffer.
  mutating func line(_ write: (inout [UInt8]) -> Void) throws(ToolError) {
    write(&buffer)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Adds a text without a line end.
  mutating func write(_ text: String) throws(ToolError) {
    buffer += text.utf8
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Writes a file at once.
  mutating func write(_ bytes: [UInt8]) throws(ToolError) {
    buffer += bytes
    try flush()
  }

  /// Writes the buffer. Call it at the end.
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

/// Messages on standard error.
enum Notice {
  static func write(_ line: String) { StandardError.write("paraph: \(line.printable)\n") }
}
