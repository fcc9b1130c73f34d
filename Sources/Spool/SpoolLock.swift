internal import CLinux
internal import Linux

/// The exclusive right to deliver from a spool.
///
/// Two programs would write into the same partial copies. The lock is flock(2) on the folder `state`, which
/// ends with the process. While it is held, the filesystem cannot be unmounted.
public struct SpoolLock: ~Copyable, Sendable {
  private let folder: Folder
  private let device: UInt64, inode: UInt64

  /// Returns nil if another program still holds the lock after `timeLimit` nanoseconds.
  public init?(on spool: borrowing Spool, timeLimit: Int64) throws(SpoolError) {
    // A lock belongs to an open file description.
    let folder = try spooling { () throws(SystemError) in try Folder(".", in: spool.state) }
    let status = try spooling { () throws(SystemError) in try folder.status() }
    let limit = MonotonicClock.now + timeLimit
    var poll = Poll()
    do throws(Errno) {
      while try !folder.descriptor.tryLock() {
        if MonotonicClock.now >= limit { return nil }
        try poll.wait(milliseconds: Self.retryMilliseconds)
      }
    } catch { throw .call("flock", spool.state.path, error) }
    self.folder = folder
    (device, inode) = (status.device, status.inode)
  }

  private static let retryMilliseconds: Int32 = 10

  /// Whether the lock is for this spool, not for an earlier one at the same path.
  public borrowing func holds(_ spool: borrowing Spool) throws(SpoolError) -> Bool {
    let status = try spooling { () throws(SystemError) in try spool.state.status() }
    return status.device == device && status.inode == inode
  }
}
