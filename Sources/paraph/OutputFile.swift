import CLinux
import Linux

/// Writes output files: a regular one as a whole or not at all, a device or FIFO in place.
enum OutputFile {
  /// The kind of file at a path. Links are followed.
  private enum Target {
    /// A new file.
    case new(path: String)
    /// A regular file, which is replaced by one of the same mode, and owner if that is allowed.
    case file(path: String, FileStatus)
    /// A device or a FIFO: opened in place.
    case other
    /// A file that this program has open already, such as /dev/stdout. Its other content is kept.
    case open(Int32)
  }

  /// Throws the error that `write` would throw, if it can be known before. Leaves no file behind.
  static func check(_ path: String) throws(ToolError) {
    do throws(Errno) {
      switch try target(path) {
      case .new(let target), .file(let target, _):
        let draft = try draft(of: target)
        _ = try create(draft, mode: 0o600)
        unsafe unlink(draft)
      case .other: _ = try Errno.check { unsafe access(path, W_OK) }
      case .open(let number): _ = try duplicate(number)
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
        try FileDescriptor(opening: path, O_WRONLY | O_NOCTTY).writeAll(bytes)
      case .open(let number): try duplicate(number).writeAll(bytes)
      }
    } catch { throw ToolError(writing: path, error) }
  }

  private static func duplicate(_ number: Int32) throws(Errno) -> FileDescriptor {
    FileDescriptor(owning: try Errno.check { dup(number) })
  }

  /// The descriptor of this program that a path names; nil: none.
  private static func descriptor(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdin": return 0
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default:
      for prefix in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(prefix) {
        return Int32(path.dropFirst(prefix.count))
      }
      return nil
    }
  }

  private static func target(_ path: String, links: Int = 0) throws(Errno) -> Target {
    if let number = descriptor(path) { return .open(number) }
    guard let found = unsafe realpath(path, nil) else {
      let error = Errno.current
      if error.rawValue != ENOENT { throw error }
      guard let next = Folder.target(ofLink: path) else { return .new(path: path) }
      // A link to nothing: what it names is created.
      if links == 40 { throw Errno(ELOOP) }
      let whole = next.hasPrefix("/") ? next : NewFile.split(path).folder + "/" + next
      return try target(whole, links: links + 1)
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

  private static func create(_ draft: String, mode: UInt32) throws(Errno) -> FileDescriptor {
    try FileDescriptor(opening: draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
  }

  private static func replace(
    _ path: String, _ former: FileStatus?, by bytes: [UInt8]
  ) throws(Errno) {
    let draft = try draft(of: path)
    // Other users cannot open the draft before it has the former owner and mode.
    let file = try create(draft, mode: former == nil ? 0o666 : 0o600)
    do throws(Errno) {
      if let former {
        // Root may keep the owner, and others mostly are it. Another group must not read what the former one could.
        let number = file.number
        let keepsGroup =
          fchown(number, former.owner, former.group) == 0
          || fchown(number, uid_t.max, former.group) == 0
        try file.setMode(former.mode & (keepsGroup ? 0o777 : 0o707))
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
