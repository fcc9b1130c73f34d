internal import CLinux
internal import Linux

/// Which sinks have which items: an empty file `state/.sinks/SINK/ID` for each delivery. It needs a name
/// and no block of its own, so that a delivery can be recorded on a full disk.
extension Spool {
  /// In `state`; no id starts with a dot.
  static let sinksName = ".sinks"

  /// In `state`; no id starts with a dot. For handoff's records of what ended it.
  public static let attemptsName = ".attempts"

  /// Makes the folders of these sinks and reserves space while there is some, so that recording needs none.
  /// What cannot be made now is made with the first record.
  public borrowing func prepareRecords(of sinks: [String]) {
    for sink in sinks {
      do throws(SystemError) { _ = try sinkFolder(sink) } catch {}
    }
    do throws(SystemError) { _ = try state.openOrMakeFolder(Self.attemptsName) } catch {}
    reserveSpace()
  }

  /// Records that a sink has an item. When this returns, the record is on the disk. A full disk releases the
  /// reserved space first.
  public borrowing func recordDelivery(of id: ItemID, to sink: String) throws(SpoolError) {
    do throws(SystemError) {
      do throws(SystemError) {
        try mark(id, in: sinkFolder(sink))
      } catch {
        guard error.isFullDisk, try releaseReserve() else { throw error }
        try mark(id, in: sinkFolder(sink))
      }
    } catch { throw .system(error) }
  }

  private borrowing func mark(
    _ id: ItemID, in folder: borrowing Folder
  ) throws(SystemError) {
    do throws(SystemError) {
      _ = try folder.makeFile(id.text, mode: Self.fileMode)
    } catch {
      if error.errno.rawValue != EEXIST { throw error }
      if try folder.status(of: id.text).kind != .file {
        // Somebody else's link or folder says nothing.
        try folder.removeTree(id.text)
        _ = try folder.makeFile(id.text, mode: Self.fileMode)
      }
    }
    // An empty file has nothing but its name.
    try folder.sync()
  }

  private borrowing func sinkFolder(_ sink: String) throws(SystemError) -> Folder {
    let sinks = try state.openOrMakeFolder(Self.sinksName)
    return try sinks.openOrMakeFolder(sink)
  }

  /// Calls `body` with the folder of each sink that ever had a record, and the sink's name.
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
      // What is no folder of records hides none.
      do throws(SystemError) { try body(Folder(name, in: sinks), name) } catch {
        if !error.isForeign { throw error }
      }
    }
  }

  /// Forgets who has an item.
  borrowing func forgetDeliveries(of id: ItemID) throws(SystemError) {
    try forEachSink { folder, _ throws(SystemError) in try folder.removeTree(id.text) }
  }
}

extension Folder {
  /// The folder of this name, which is on the disk when this returns. What others left there is replaced.
  borrowing func openOrMakeFolder(_ name: String) throws(SystemError) -> Folder {
    do throws(SystemError) {
      return try Folder(name, in: self)
    } catch {
      if !error.isForeign { throw error }
      if error.errno.rawValue != ENOENT { try removeTree(name) }
    }
    let made = try makeFolder(name, mode: Spool.folderMode)
    try sync()
    return made
  }
}
