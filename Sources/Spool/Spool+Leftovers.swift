internal import CLinux
internal import Linux

extension Spool {
  /// Removes from `tmp` what nobody writes any more, and returns how much that was. A writer holds a
  /// lock, which the kernel takes away when it dies, by crash or by power cut.
  ///
  /// - Parameter report: Gets a line for each that cannot be removed: it stays, and is in nobody's way.
  public borrowing func removeLeftovers(
    report: (String) -> Void = { _ in }
  ) throws(SpoolError) -> Int {
    var count = 0
    for name in try spooling({ () throws(SystemError) in try tmp.names() }) {
      // The counter's next value, written under the lock of the root.
      if name == Self.sequenceName { continue }
      do throws(SystemError) {
        if try removeLeftover(name) { count += 1 }
      } catch {
        report("spool: left-over in \(tmp.path) cannot be removed (\(error.text)); it is ignored")
      }
    }
    return count
  }

  /// False if somebody writes it. The lock is kept until all is removed: a writer that has made the folder
  /// and comes to lock it waits, and makes another.
  private borrowing func removeLeftover(_ name: String) throws(SystemError) -> Bool {
    guard let folder = try draft(name) else {
      try tmp.removeTree(name)
      return true
    }
    let isMine: Bool
    do throws(Errno) {
      isMine = try folder.descriptor.tryLock()
    } catch { throw SystemError("flock", folder.path, error) }
    if isMine { try tmp.removeTree(name) }
    _ = consume folder
    return isMine
  }

  /// Nil for what is no folder, or has gone: no draft.
  private borrowing func draft(_ name: String) throws(SystemError) -> Folder? {
    do throws(SystemError) {
      return try Folder(name, in: tmp)
    } catch {
      if [ENOTDIR, ELOOP, ENOENT].contains(error.errno.rawValue) { return nil }
      throw error
    }
  }
}
