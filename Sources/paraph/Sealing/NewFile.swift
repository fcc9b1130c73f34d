import CLinux
import Linux

/// A file that must not exist before: written durably, whole or not at all.
enum NewFile {
  /// Throws if something exists at the path.
  static func checkAbsence(of path: String) throws(ToolError) {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { throw ToolError(writing: path, Errno(EEXIST)) }
  }

  /// Creates the file with these bytes, for its owner only or for all readers that the umask allows.
  static func write(
    _ bytes: [UInt8], to path: String, isSecret: Bool
  ) throws(ToolError) {
    let (place, name) = split(path)
    do throws(Errno) {
      let folder = try FileDescriptor(opening: place, O_RDONLY | O_DIRECTORY)
      try writeUnnamed(bytes, name, in: folder, place, mode: isSecret ? 0o600 : 0o644)
      try folder.sync()
    } catch { throw ToolError(writing: path, error) }
  }

  /// Names a file only when all of it is on the disk, so that a kill before that leaves nothing
  /// behind.
  private static func writeUnnamed(
    _ bytes: [UInt8], _ name: String, in folder: borrowing FileDescriptor, _ place: String,
    mode: mode_t
  ) throws(Errno) {
    let file: FileDescriptor
    do throws(Errno) {
      file = try FileDescriptor(opening: place, CLinux_unnamed | O_WRONLY, mode: mode)
    } catch {
      // FAT, on a USB stick, has no files without a name.
      if error.rawValue == EOPNOTSUPP {
        return try writeDraft(bytes, name, in: folder, mode: mode)
      }
      throw error
    }
    try file.writeAll(bytes)
    try file.sync()
    let (source, target) = ("/proc/self/fd/\(file.number)", folder.number)
    _ = try Errno.check { unsafe linkat(AT_FDCWD, source, target, name, AT_SYMLINK_FOLLOW) }
  }

  private static func writeDraft(
    _ bytes: [UInt8], _ name: String, in folder: borrowing FileDescriptor, mode: mode_t
  ) throws(Errno) {
    let (draft, target) = (".\(name).paraph-\(getpid())", folder.number)
    let file = try FileDescriptor(
      opening: draft, in: folder, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    do throws(Errno) {
      try file.writeAll(bytes)
      try file.sync()
      _ = try Errno.check { unsafe CLinux_renameToNew(target, draft, name) }
    } catch {
      unsafe unlinkat(target, draft, 0)
      throw error
    }
  }

  /// The folder and the name of a path.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = String(Substring(path.utf8[..<slash]))
    return (folder.isEmpty ? "/" : folder, String(Substring(path.utf8[slash...].dropFirst())))
  }
}
