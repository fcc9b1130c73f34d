internal import CLinux

extension Folder {
  /// Removes a folder with everything in it, or a file. Links are removed, not followed. What is not
  /// there is no error.
  public borrowing func removeTree(_ name: String) throws(SystemError) {
    do throws(SystemError) {
      try remove(name)
    } catch {
      if error.errno.rawValue == ENOENT { return }
      // POSIX says EPERM and Linux EISDIR for a folder.
      if error.errno.rawValue != EISDIR && error.errno.rawValue != EPERM { throw error }
      try Folder(name, in: self).removeContents()
      try removeFolder(name)
    }
  }

  private borrowing func removeContents() throws(SystemError) {
    for name in try names() { try removeTree(name) }
  }
}
