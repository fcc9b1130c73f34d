internal import CLinux

/// An open folder whose entries are named relative to it.
///
/// Relative names are safe from links that are put into the path later. Errors name the path that the folder
/// was opened by.
public struct Folder: ~Copyable, Sendable {
  /// The path that the folder was opened by, for messages.
  public let path: String
  /// The folder's descriptor.
  public let descriptor: FileDescriptor

  /// Opens a folder by its path.
  public init(_ path: String) throws(SystemError) {
    descriptor = try SystemError.naming("open", path) { () throws(Errno) in
      try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
    }
    self.path = path
  }

  /// Opens a folder in a folder; fails on a symbolic link.
  public init(_ name: String, in parent: borrowing Folder) throws(SystemError) {
    path = parent.path + "/" + name
    do throws(Errno) {
      descriptor = try FileDescriptor(
        opening: name, in: parent.descriptor, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    } catch { throw SystemError("open", parent.path + "/" + name, error) }
  }

  /// Flushes the folder's names to the disk (fsync(2)).
  public borrowing func sync() throws(SystemError) {
    try SystemError.naming("fsync", path) { () throws(Errno) in try descriptor.sync() }
  }

  /// Reads the metadata of the folder (fstat(2)).
  public borrowing func status() throws(SystemError) -> FileStatus {
    try SystemError.naming("fstat", path) { () throws(Errno) in try descriptor.status() }
  }

  /// Reads the metadata of an entry without following a link (fstatat(2)).
  public borrowing func status(of name: String) throws(SystemError) -> FileStatus {
    var status = stat()
    try call("stat", name) { folder in
      unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)
    }
    return FileStatus(status)
  }

  /// Whether an entry exists. A symbolic link counts even if its target is missing.
  public borrowing func contains(_ name: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try status(of: name)
      return true
    } catch {
      if error.errno.rawValue == ENOENT { return false }
      throw error
    }
  }

  /// Creates a folder with exactly this mode and opens it.
  public borrowing func makeFolder(
    _ name: String, mode: UInt32
  ) throws(SystemError) -> Folder {
    try call("mkdir", name) { folder in unsafe mkdirat(folder, name, mode_t(mode & 0o777)) }
    let made = try Folder(name, in: self)
    // The umask clears bits, and the parent passes on set-group-id. The mode is set only if it differs: under
    // systemd's RestrictSUIDSGID= a service may not even set a bit that is set already.
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

  /// Opens a file for reading. Fails on a link, and never waits for a FIFO's writer.
  public borrowing func openFile(_ name: String) throws(SystemError) -> FileDescriptor {
    try SystemError.naming("open", path + "/" + name) { () throws(Errno) in
      try FileDescriptor(
        opening: name, in: descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    }
  }

  /// Removes an entry that is not a folder (unlinkat(2)).
  public borrowing func remove(_ name: String) throws(SystemError) {
    try call("unlink", name) { folder in unsafe unlinkat(folder, name, 0) }
  }

  /// Removes an empty folder (unlinkat(2)).
  public borrowing func removeFolder(_ name: String) throws(SystemError) {
    try call("rmdir", name) { folder in unsafe unlinkat(folder, name, AT_REMOVEDIR) }
  }

  /// Renames an entry and replaces an existing one (renameat(2)).
  public borrowing func rename(
    _ name: String, to target: borrowing Folder, as newName: String
  ) throws(SystemError) {
    let other = target.descriptor.number
    try call("rename", name) { folder in unsafe renameat(folder, name, other, newName) }
  }

  /// Renames an entry; throws EEXIST if the new name exists (renameat2(2), RENAME_NOREPLACE).
  public borrowing func move(
    _ name: String, to target: borrowing Folder, as newName: String
  ) throws(SystemError) {
    let other = target.descriptor.number
    try call("rename", name) { folder in
      unsafe CLinux_renameNoReplace(folder, name, other, newName)
    }
  }

  /// Throws if this process cannot add and remove entries (faccessat(2)).
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

extension Folder {
  /// Renames an entry whose name need not be UTF-8; throws EEXIST if the new name exists.
  public borrowing func move(
    _ name: [UInt8], to target: borrowing Folder, as newName: String
  ) throws(SystemError) {
    let (number, other) = (descriptor.number, target.descriptor.number)
    let text = name.map { CChar(bitPattern: $0) } + [0]
    // Control characters could move a terminal's cursor.
    let isPlain = name.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    let shown = isPlain ? String(decoding: name, as: UTF8.self) : "…"
    _ = try SystemError.naming("rename", path + "/" + shown) { () throws(Errno) in
      try Errno.check { unsafe CLinux_renameNoReplace(number, text, other, newName) }
    }
  }
}

extension Folder {
  /// Calls `body` with each entry's name, unordered, until it returns false.
  ///
  /// Names need not be UTF-8. Skips "." and "..". Allocates nothing per name.
  public borrowing func forEachName(_ body: (Span<UInt8>) -> Bool) throws(SystemError) {
    // closedir(3) closes its descriptor, and a duplicate would share its position in the folder.
    let copy = try SystemError.naming("open", path) { () throws(Errno) in
      try FileDescriptor(opening: ".", in: descriptor, O_RDONLY | O_DIRECTORY).release()
    }
    guard let stream = unsafe fdopendir(copy) else {
      let error = Errno.current
      close(copy)
      throw SystemError("opendir", path, error)
    }
    defer { unsafe closedir(stream) }
    while true {
      CLinux_clearErrno()
      guard let entry = unsafe readdir(stream) else {
        let error = Errno.current
        if error.rawValue == 0 { return }
        throw SystemError("readdir", path, error)
      }
      guard let name = unsafe CLinux_entryName(entry) else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
      if unsafe isDots(bytes) { continue }
      if !(unsafe body(Span(_unsafeBytes: bytes))) { return }
    }
  }

  /// The names of all entries, unordered.
  ///
  /// A name that is not UTF-8 is repaired, and then names no entry.
  public borrowing func names() throws(SystemError) -> [String] {
    var names: [String] = []
    try forEachName { name in
      names.append(String(decoding: name))
      return true
    }
    return names
  }

  private borrowing func isDots(_ name: UnsafeRawBufferPointer) -> Bool {
    let dot = UInt8(ascii: ".")
    return unsafe name.count <= 2 && name.allSatisfy { $0 == dot }
  }
}

extension Folder {
  /// The limit of `removeTree`, since each level holds a descriptor and stack.
  private static var deepest: Int { 100 }

  /// Removes a file, or a folder with its contents, if it exists.
  ///
  /// Removes links without following them. Throws ENAMETOOLONG if folders are nested more than 100 deep.
  public borrowing func removeTree(_ name: String) throws(SystemError) {
    try removeTree(name, levels: Folder.deepest)
  }

  private borrowing func removeTree(_ name: String, levels: Int) throws(SystemError) {
    do throws(SystemError) {
      try remove(name)
    } catch {
      if error.errno.rawValue == ENOENT { return }
      // For a folder POSIX specifies EPERM, and Linux returns EISDIR.
      if error.errno.rawValue != EISDIR && error.errno.rawValue != EPERM { throw error }
      guard levels > 0 else { throw SystemError("rmdir", error.subject, Errno(ENAMETOOLONG)) }
      try Folder(name, in: self).removeContents(levels: levels - 1)
      try removeFolder(name)
    }
  }

  private borrowing func removeContents(levels: Int) throws(SystemError) {
    for name in try names() { try removeTree(name, levels: levels) }
  }
}

/// Reads entries by path, mainly in `/dev`, `/proc` and `/sys`.
extension Folder {
  /// The names in a folder except `.` and `..`, in byte order.
  public static func names(of path: String) throws(Errno) -> [String] {
    guard let stream = unsafe opendir(path) else { throw Errno.current }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      guard let start = unsafe CLinux_entryName(entry) else { continue }
      let name = unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
      if name != [46] && name != [46, 46] { names.append(name) }
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    return names.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The target of a symbolic link as stored; nil if it cannot be read.
  public static func target(ofLink path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 4096)
    let count = unsafe target.withUnsafeMutableBufferPointer { bytes in
      unsafe CLinux_readlink(path, bytes.baseAddress, bytes.count)
    }
    return count > 0 ? String(decoding: target[0..<count], as: UTF8.self) : nil
  }

  /// The content of a small file; nil if it cannot be read or exceeds `limit` bytes.
  public static func content(of path: String, limit: Int = 4096) -> [UInt8]? {
    do throws(Errno) {
      return try FileDescriptor(opening: path, O_RDONLY).readAll(limit: limit)
    } catch {
      return nil
    }
  }

  /// The first line of a small text file, such as an attribute in `/sys`.
  public static func line(of path: String) -> String? {
    content(of: path).map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) }
  }
}
