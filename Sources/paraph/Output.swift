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

/// Writes output files: a regular one as a whole or not at all, a device or FIFO in place.
enum OutputFile {
  /// What is at a path, which may be a link.
  private enum Target {
    /// A new file.
    case new(path: String)
    /// A regular file, which is replaced by one of the same owner and mode.
    case file(path: String, FileStatus)
    /// A device, a FIFO, or a link to nothing: opened in place.
    case other
  }

  /// Throws the error that `write` would throw, if it can be known before. Leaves no file behind.
  static func check(_ path: String) throws(ToolError) {
    do throws(Errno) {
      switch try target(path) {
      case .new(let target), .file(let target, _):
        let draft = try draft(of: target)
        _ = try create(draft)
        unsafe unlink(draft)
      case .other: _ = try Errno.check { unsafe access(path, W_OK) }
      }
    } catch { throw ToolError(writing: path, error) }
  }

  /// Writes all bytes.
  static func write(_ bytes: [UInt8], to path: String) throws(ToolError) {
    do throws(Errno) {
      switch try target(path) {
      case .new(let target): try replace(target, nil, by: bytes)
      case .file(let target, let status): try replace(target, status, by: bytes)
      case .other:
        try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_NOCTTY, mode: 0o666)
          .writeAll(bytes)
      }
    } catch { throw ToolError(writing: path, error) }
  }

  private static func target(_ path: String) throws(Errno) -> Target {
    guard let found = unsafe realpath(path, nil) else {
      let error = Errno.current
      if error.rawValue != ENOENT { throw error }
      var status = stat()
      return unsafe lstat(path, &status) == 0 ? .other : .new(path: path)
    }
    let real = unsafe String(cString: found)
    unsafe free(found)
    let status: FileStatus
    do throws(SystemError) { status = try FileStatus(of: real) } catch { throw error.errno }
    switch status.kind {
    case .folder: throw Errno(EISDIR)
    case .file: return .file(path: real, status)
    case .link, .other: return .other
    }
  }

  /// A name that nobody can guess: others may write to the folder.
  private static func draft(of path: String) throws(Errno) -> String {
    path + ".paraph-" + String(try Randomness.bits(), radix: 36)
  }

  private static func create(_ draft: String) throws(Errno) -> FileDescriptor {
    try FileDescriptor(opening: draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
  }

  private static func replace(
    _ path: String, _ former: FileStatus?, by bytes: [UInt8]
  ) throws(Errno) {
    let draft = try draft(of: path)
    let file = try create(draft)
    do throws(Errno) {
      if let former {
        // Root may keep the owner, and others mostly are it.
        let number = file.number
        _ = fchown(number, former.owner, former.group)
        try file.setMode(former.mode & 0o777)
      }
      try file.writeAll(bytes)
      try file.sync()
      _ = try Errno.check { unsafe rename(draft, path) }
    } catch {
      unsafe unlink(draft)
      throw error
    }
  }
}

/// Messages on standard error.
enum Notice {
  static func write(_ line: String) { StandardError.write("paraph: \(line.printable)\n") }
}
