internal import Linux

/// Space that only records of deliveries use: a file that is removed when the disk is full.
extension Spool {
  /// In `state`.
  static let reserveName = ".reserve"
  static let reserveSize = 64 << 10
  /// Where less is free, signatures need it more.
  private static let smallestDisk: Int64 = 16 * Int64(reserveSize)

  /// Reserves the space if it is not reserved and there is plenty. Nothing depends on its success.
  borrowing func reserveSpace() {
    do throws(SystemError) {
      if try state.contains(Self.reserveName) { return }
      if try state.freeSpace().bytes < Self.smallestDisk { return }
      // Written, not only made longer: holes have no blocks.
      try state.writeFile(
        Self.reserveName, [UInt8](repeating: 0, count: Self.reserveSize), synced: true)
    } catch {
      do throws(SystemError) { try state.removeTree(Self.reserveName) } catch {}
    }
  }

  /// False if there was none.
  borrowing func releaseReserve() throws(SystemError) -> Bool {
    guard try state.contains(Self.reserveName) else { return false }
    try state.removeTree(Self.reserveName)
    // Filesystems free blocks when the removal is on the disk.
    try state.sync()
    return true
  }
}
