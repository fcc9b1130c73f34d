internal import CLinux
internal import Linux

/// The right to deliver from a spool, which one program has at a time: two would write into the same half
/// copies, and one publish what the other has not finished. It ends with this value, and with the program: a
/// lock of the folder `state` (flock(2)), so that a filesystem cannot be unmounted meanwhile.
public struct SpoolLock: ~Copyable, Sendable {
  private let folder: Folder
  private let device: UInt64, inode: UInt64

  /// Nil if somebody else has it.
  public init?(on spool: borrowing Spool) throws(SpoolError) {
    // A lock belongs to an open file: every claim opens its own.
    let folder = try spooling { () throws(SystemError) in try Folder(".", in: spool.state) }
    let status = try spooling { () throws(SystemError) in try folder.status() }
    do throws(Errno) {
      guard try folder.descriptor.tryLock() else { return nil }
    } catch { throw .call("flock", spool.state.path, error) }
    self.folder = folder
    (device, inode) = (status.device, status.inode)
  }

  /// Whether it is for this spool, and not for one that had the name before.
  public borrowing func holds(_ spool: borrowing Spool) throws(SpoolError) -> Bool {
    let status = try spooling { () throws(SystemError) in try spool.state.status() }
    return status.device == device && status.inode == inode
  }
}
