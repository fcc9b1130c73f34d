internal import CLinux

extension Folder {
  /// Each level keeps a descriptor and a part of the stack.
  private static var deepest: Int { 100 }

  /// Removes a folder with everything in it, or a file. Links are removed, not followed. What is not
  /// there is no error; folders in more than 100 folders are: ENAMETOOLONG.
  public borrowing func removeTree(_ name: String) throws(SystemError) {
    try removeTree(name, levels: Folder.deepest)
  }

  private borrowing func removeTree(_ name: String, levels: Int) throws(SystemError) {
    do throws(SystemError) {
      try remove(name)
    } catch {
      if error.errno.rawValue == ENOENT { return }
      // POSIX says EPERM and Linux EISDIR for a folder.
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
