internal import CLinux
internal import Linux

/// Delivery records: an empty file `state/.sinks/SINK/ID` for each delivery.
///
/// A record needs a name but no block, so that it can be written on a full disk. The file `state/.reserve`
/// holds space for names that need another block of their folder.
extension Spool {
  /// In `state`. An id contains no dot.
  public static let sinksName = ".sinks"
  /// In `state`: handoff's crash records.
  public static let attemptsName = ".attempts"
  /// In `state`.
  static let reserveName = ".reserve"
  static let reserveSize = 64 << 10
  /// With less free space, nothing is reserved.
  private static let reserveMinimumFree: Int64 = 16 * Int64(reserveSize)

  /// Creates the folders of these sinks, of crash records and of erasures, and reserves space. Folders that cannot
  /// be created now are created with the first record.
  public borrowing func prepareRecords(of sinks: [String]) {
    for sink in sinks {
      do throws(SystemError) { _ = try sinkFolder(sink) } catch {}
    }
    for name in [Self.attemptsName, Self.erasedName] {
      do throws(SystemError) { _ = try state.openOrMakeFolder(name) } catch {}
    }
    reserveSpace()
  }

  /// Records durably that a sink has an item. Releases the reserved space if the disk is full.
  public borrowing func recordDelivery(of id: ItemID, to sink: String) throws(SpoolError) {
    do throws(SystemError) {
      do throws(SystemError) {
        try makeRecord(id, in: sinkFolder(sink))
      } catch {
        guard error.isFullDisk, try releaseSpace() else { throw error }
        try makeRecord(id, in: sinkFolder(sink))
      }
    } catch { throw .system(error) }
  }

  private borrowing func makeRecord(
    _ id: ItemID, in folder: borrowing Folder
  ) throws(SystemError) {
    do throws(SystemError) {
      _ = try folder.makeFile(id.text, mode: Self.fileMode)
    } catch {
      if error.errno.rawValue != EEXIST { throw error }
      if try folder.status(of: id.text).kind != .file {
        try folder.removeTree(id.text)
        _ = try folder.makeFile(id.text, mode: Self.fileMode)
      }
    }
    // The name is all there is to synchronise.
    try folder.sync()
  }

  private borrowing func sinkFolder(_ sink: String) throws(SystemError) -> Folder {
    let sinks = try state.openOrMakeFolder(Self.sinksName)
    return try sinks.openOrMakeFolder(sink)
  }

  /// Calls `body` with the folder and the name of each sink that ever had a record. Skips foreign objects.
  borrowing func forEachSink(
    _ body: (borrowing Folder, String) throws(SystemError) -> Void
  ) throws(SystemError) {
    let sinks: Folder
    do throws(SystemError) {
      sinks = try Folder(Self.sinksName, in: state)
    } catch {
      if error.isForeign { return }
      throw error
    }
    for name in try sinks.names() {
      do throws(SystemError) { try body(Folder(name, in: sinks), name) } catch {
        if !error.isForeign { throw error }
      }
    }
  }

  /// Removes the delivery records of an item.
  borrowing func removeDeliveries(of id: ItemID) throws(SystemError) {
    try forEachSink { folder, _ throws(SystemError) in try folder.removeTree(id.text) }
  }

  /// Reserves space for records if there is plenty. May fail without consequence.
  borrowing func reserveSpace() {
    do throws(SystemError) {
      if try state.contains(Self.reserveName) { return }
      if try state.freeSpace().bytes < Self.reserveMinimumFree { return }
      // Written, because a hole has no blocks.
      try state.writeFile(
        Self.reserveName, [UInt8](repeating: 0, count: Self.reserveSize), synced: true)
    } catch {
      do throws(SystemError) { try state.removeTree(Self.reserveName) } catch {}
    }
  }

  /// Returns false if no space was reserved.
  borrowing func releaseSpace() throws(SystemError) -> Bool {
    guard try state.contains(Self.reserveName) else { return false }
    try state.removeTree(Self.reserveName)
    // Filesystems free the blocks when the removal is on the disk.
    try state.sync()
    return true
  }
}
