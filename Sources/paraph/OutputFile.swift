import CLinux
import Linux

/// A file that a command writes: whole, or not at all.
enum OutputFile {
  /// Writes to a name beside `path` first: a picture that was there stays until the new one is whole.
  static func write(_ bytes: [UInt8], to path: String) throws(ToolError) {
    let draft = path + ".paraph-\(getpid())"
    do throws(Errno) {
      let file = try FileDescriptor(opening: draft, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
      do throws(Errno) {
        try unsafe file.writeAll(bytes.span.bytes)
        _ = try Errno.check { unsafe rename(draft, path) }
      } catch {
        unsafe unlink(draft)
        throw error
      }
    } catch {
      throw ToolError(
        error.rawValue == ENOSPC || error.rawValue == EIO ? .io : .cannotCreate,
        SystemError("write", path, error).text)
    }
  }
}
