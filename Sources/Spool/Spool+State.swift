internal import CLinux
internal import Linux

extension Spool {
  /// The ids that handoff keeps a record of, some of them twice.
  public borrowing func idsWithState() throws(SpoolError) -> [ItemID] {
    var ids = try Self.ids(in: state)
    do throws(SystemError) {
      try forEachSink { folder, _ throws(SystemError) in
        try folder.forEachName { name in
          if let id = ItemID(name) { ids.append(id) }
          return true
        }
      }
    } catch { throw .system(error) }
    return ids
  }

  /// What handoff knows about an item, by the sinks' names. Empty where nothing was noted. What is no record
  /// of handoff (a link, a folder, damaged text) counts as absent: that sink is asked again.
  public borrowing func states(of id: ItemID) throws(SpoolError) -> [String: SinkState] {
    var states: [String: SinkState] = [:]
    do throws(SystemError) {
      do throws(SystemError) {
        let folder = try Folder(id.text, in: state)
        for name in try folder.names() where !Array(name.utf8).contains(UInt8(ascii: ".")) {
          if let state = try Self.readState(name, in: folder) { states[name] = state }
        }
      } catch { if !error.isForeign { throw error } }
      try forEachSink { folder, sink throws(SystemError) in
        guard try folder.contains(id.text), try folder.status(of: id.text).kind == .file else {
          return
        }
        states[sink] = SinkState(.delivered)
      }
    } catch { throw .system(error) }
    return states
  }

  private static func readState(
    _ name: String, in folder: borrowing Folder
  ) throws(SystemError) -> SinkState? {
    do throws(SystemError) {
      let file = try folder.openFile(name)
      let bytes = try SystemError.naming("read", folder.path + "/" + name) {
        () throws(Errno) in
        if try file.status().kind != .file { throw Errno(ELOOP) }
        return try file.readAll(limit: SinkState.sizeLimit)
      }
      return bytes.flatMap { SinkState($0) }
    } catch {
      if error.isForeign { return nil }
      throw error
    }
  }

  /// Notes how far a sink is with an item that it has not. `durable`: on the disk when this returns; without, a
  /// power cut may bring back what was noted before.
  public borrowing func note(
    _ sinkState: SinkState, of sink: String, for id: ItemID, durable: Bool
  ) throws(SpoolError) {
    do throws(SystemError) {
      let folder = try stateFolder(of: id)
      do throws(SystemError) {
        try folder.replaceFile(sink, sinkState.bytes, synced: durable)
      } catch {
        if error.errno.rawValue != EISDIR { throw error }
        try folder.removeTree(sink)
        try folder.replaceFile(sink, sinkState.bytes, synced: durable)
      }
      if durable { try state.sync() }
    } catch { throw .system(error) }
  }

  borrowing func stateFolder(of id: ItemID) throws(SystemError) -> Folder {
    do throws(SystemError) {
      return try Folder(id.text, in: state)
    } catch {
      if !error.isForeign { throw error }
      if error.errno.rawValue != ENOENT { try state.removeTree(id.text) }
    }
    return try state.makeFolder(id.text, mode: Self.folderMode)
  }

  /// Removes what was noted about items that are nowhere any more, and returns how many those were.
  public borrowing func forgetStaleStates() throws(SpoolError) -> Int {
    var forgotten: Set<ItemID> = []
    for id in try idsWithState() {
      do throws(SystemError) {
        // In the direction of a retry, or an item that is moved meanwhile would be missed.
        if try failed.contains(id.text) { continue }
        if try delivered.contains(id.text) { continue }
        if try new.contains(id.text) { continue }
        try removeState(of: id)
      } catch { throw .system(error) }
      forgotten.insert(id)
    }
    return forgotten.count
  }

  /// Removes all that was noted about an item.
  borrowing func removeState(of id: ItemID) throws(SystemError) {
    try state.removeTree(id.text)
    try forgetDeliveries(of: id)
  }

  /// Forgets what one sink answered about an item.
  borrowing func forgetState(of sink: String, for id: ItemID) throws(SystemError) {
    let folder = try Folder(id.text, in: state)
    try folder.remove(sink)
    try folder.sync()
  }

  /// Moves what was noted about an item to `failed/records-ID`, if possible with the reason beside it. Attempts and
  /// rejections count anew; which sinks have the item stays on record. Returns the new name; nil: nothing was noted.
  public borrowing func setRecordsAside(
    of id: ItemID, reason: String
  ) throws(SpoolError) -> String? {
    let name = "records-" + id.text
    do throws(SystemError) {
      try failed.removeTree(name)
      do throws(SystemError) {
        try state.rename(id.text, to: failed, as: name)
      } catch {
        if error.errno.rawValue == ENOENT { return nil }
        throw error
      }
      // The disk may be full, and the records must be out of the way.
      do throws(SystemError) { try writeReason(reason, for: name) } catch {}
      try failed.sync()
      try state.sync()
    } catch { throw .system(error) }
    return name
  }
}
