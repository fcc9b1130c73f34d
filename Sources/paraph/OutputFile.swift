import CLinux
import Linux

/// A file that a command writes: whole, or not at all.
enum OutputFile {
  /// Whether `write` can make this file, as far as that is known before: what it would fail with is thrown. Leaves
  /// nothing behind.
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

  /// Writes to a name beside `path` first: a picture that was there stays until the new one is whole.
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
