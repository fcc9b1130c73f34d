internal import CLinux

/// An open folder: everything in it is named relative to it, so that nobody can put a link in the way.
/// Errors name the path that the folder was opened by.
public struct Folder: ~Copyable, Sendable {
  /// As it was opened; for messages.
  public let path: String
  /// For calls that borrow it.
  public let descriptor: FileDescriptor

  /// Opens a folder by its path.
  public init(_ path: String) throws(SystemError) {
    descriptor = try SystemError.naming("open", path) { () throws(Errno) in
      try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
    }
    self.path = path
  }

  /// Opens a folder in a folder; a symbolic link is refused.
  public init(_ name: String, in parent: borrowing Folder) throws(SystemError) {
    path = parent.path + "/" + name
    do throws(Errno) {
      descriptor = try FileDescriptor(
        opening: name, in: parent.descriptor, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    } catch { throw SystemError("open", parent.path + "/" + name, error) }
  }

  /// fsync(2): the names in it are on the disk.
  public borrowing func sync() throws(SystemError) {
    try SystemError.naming("fsync", path) { () throws(Errno) in try descriptor.sync() }
  }

  /// fstat(2) of the folder itself.
  public borrowing func status() throws(SystemError) -> FileStatus {
    try SystemError.naming("fstat", path) { () throws(Errno) in try descriptor.status() }
  }

  /// fstatat(2) of a name in it; a symbolic link is not followed.
  public borrowing func status(of name: String) throws(SystemError) -> FileStatus {
    var status = stat()
    try call("stat", name) { folder in
      unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)
    }
    return FileStatus(status)
  }

  /// Whether a name is in it; a symbolic link is one whatever it points to.
  public borrowing func contains(_ name: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try status(of: name)
      return true
    } catch {
      if error.errno.rawValue == ENOENT { return false }
      throw error
    }
  }

  /// Makes a folder with exactly this mode and opens it.
  public borrowing func makeFolder(
    _ name: String, mode: UInt32
  ) throws(SystemError) -> Folder {
    try call("mkdir", name) { folder in unsafe mkdirat(folder, name, mode_t(mode & 0o777)) }
    let made = try Folder(name, in: self)
    // The umask took bits away, and set-group-id came from the parent. A mode that is right is left alone: a service
    // under systemd's RestrictSUIDSGID= may not even set a bit that is there.
    if try made.status().mode != mode {
      try SystemError.naming("chmod", made.path) { () throws(Errno) in
        try made.descriptor.setMode(mode)
      }
    }
    return made
  }

  /// Creates a file that must not exist, with exactly this mode, for writing.
  public borrowing func makeFile(
    _ name: String, mode: UInt32
  ) throws(SystemError) -> FileDescriptor {
    try SystemError.naming("open", path + "/" + name) { () throws(Errno) in
      let file = try FileDescriptor(
        opening: name, in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
      try file.setMode(mode)
      return file
    }
  }

  /// Opens a file for reading. A link is refused, and a FIFO cannot make the caller wait.
  public borrowing func openFile(_ name: String) throws(SystemError) -> FileDescriptor {
    try SystemError.naming("open", path + "/" + name) { () throws(Errno) in
      try FileDescriptor(
        opening: name, in: descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    }
  }

  /// unlinkat(2) of anything but a folder.
  public borrowing func remove(_ name: String) throws(SystemError) {
    try call("unlink", name) { folder in unsafe unlinkat(folder, name, 0) }
  }

  /// unlinkat(2) of an empty folder.
  public borrowing func removeFolder(_ name: String) throws(SystemError) {
    try call("rmdir", name) { folder in unsafe unlinkat(folder, name, AT_REMOVEDIR) }
  }

  /// renameat(2): what had the new name before is replaced.
  public borrowing func rename(
    _ name: String, to target: borrowing Folder, as newName: String
  ) throws(SystemError) {
    let other = target.descriptor.number
    try call("rename", name) { folder in unsafe renameat(folder, name, other, newName) }
  }

  /// renameat2(2) with RENAME_NOREPLACE: EEXIST if the new name is taken.
  public borrowing func move(
    _ name: String, to target: borrowing Folder, as newName: String
  ) throws(SystemError) {
    let other = target.descriptor.number
    try call("rename", name) { folder in
      unsafe CLinux_renameNoReplace(folder, name, other, newName)
    }
  }

  /// faccessat(2): whether names can be added and removed.
  public borrowing func checkWritable() throws(SystemError) {
    try call("access", ".") { folder in unsafe faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) }
  }

  private borrowing func call(
    _ name: String, _ subject: String, _ body: (Int32) -> Int32
  ) throws(SystemError) {
    let number = descriptor.number
    _ = try SystemError.naming(name, subject == "." ? path : path + "/" + subject) {
      () throws(Errno) in try Errno.check { body(number) }
    }
  }
}
