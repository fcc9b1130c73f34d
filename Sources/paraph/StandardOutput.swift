import CLinux
import Linux

/// Standard output in large pieces, with its errors.
struct StandardOutput: ~Copyable {
  private var buffer: [UInt8] = []

  /// Adds a line.
  mutating func line(_ text: String) throws {
    try line { $0.append(contentsOf: text.utf8) }
  }

  /// Adds a line that is written byte by byte, without a string for each.
  mutating func line(_ write: (inout [UInt8]) -> Void) throws {
    write(&buffer)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Writes what waits. Call it at the end.
  mutating func flush() throws {
    let descriptor = FileDescriptor(owning: 1)
    let failure: Errno?
    do {
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
