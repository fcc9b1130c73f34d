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

/// Writes output files atomically.
enum OutputFile {
  /// Throws the error that `write` would throw, if it can be known before. Leaves no file behind.
  static func check(_ path: String) throws(ToolError) {
    do throws(Errno) {
      var status = stat()
      if unsafe stat(path, &status) == 0, status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR) {
        throw Errno(EISDIR)
      }
      let draft = draft(of: path)
      _ = try FileDescriptor(opening: draft, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
      unsafe unlink(draft)
    } catch { throw failure(error, path) }
  }

  private static func draft(of path: String) -> String { path + ".paraph-\(getpid())" }

  private static func failure(_ error: Errno, _ path: String) -> ToolError {
    ToolError(
      error.rawValue == ENOSPC || error.rawValue == EIO ? .io : .cannotCreate,
      SystemError("write", path, error).text)
  }

  /// Writes a temporary file and renames it, so that an existing file is replaced atomically.
  static func write(_ bytes: [UInt8], to path: String) throws(ToolError) {
    let draft = draft(of: path)
    do throws(Errno) {
      let file = try FileDescriptor(opening: draft, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
      do throws(Errno) {
        try unsafe file.writeAll(bytes.span.bytes)
        _ = try Errno.check { unsafe rename(draft, path) }
      } catch {
        unsafe unlink(draft)
        throw error
      }
    } catch { throw failure(error, path) }
  }
}

/// Messages on standard error.
enum Notice {
  static func write(_ line: String) { StandardError.write("paraph: \(line.printable)\n") }
}

extension String {
  /// The text without control characters, which could move a terminal's cursor.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "\u{FFFD}" : $0 }))
  }
}

extension String {
  /// Whether the text has no control characters.
  var isPrintable: Bool { unicodeScalars.allSatisfy { !$0.isControl } }
}

extension Unicode.Scalar {
  /// Whether this is a control character of ASCII or Latin-1.
  var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}
