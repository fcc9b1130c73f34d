internal import CLinux
internal import Linux

extension Spool {
  /// The ids that handoff keeps a state of.
  public borrowing func idsWithState() throws(SpoolError) -> [ItemID] {
    try Self.ids(in: state)
  }

  /// What handoff knows about an item, by the sinks' names. Empty where nothing was noted.
  public borrowing func states(of id: ItemID) throws(SpoolError) -> [String: SinkState] {
    var states: [String: SinkState] = [:]
    do throws(SystemError) {
      let folder = try Folder(id.text, in: state)
      for name in try folder.names() where !Array(name.utf8).contains(UInt8(ascii: ".")) {
        let file = try folder.openFile(name)
        let bytes = try SystemError.naming("read", folder.path + "/" + name) {
          () throws(Errno) in try file.readAll(limit: SinkState.sizeLimit)
        }
        if let bytes, let read = SinkState(bytes) { states[name] = read }
      }
    } catch { if error.errno.rawValue != ENOENT { throw .system(error) } }
    return states
  }

  /// Notes how far a sink is with an item. `durable`: on the disk when this returns; without, a power
  /// cut may bring back what was noted before.
  public borrowing func note(
    _ sinkState: SinkState, of sink: String, for id: ItemID, durable: Bool
  ) throws(SpoolError) {
    do throws(SystemError) {
      let folder = try stateFolder(of: id)
      try folder.replaceFile(sink, sinkState.bytes, synced: durable)
      if durable { try state.sync() }
    } catch { throw .system(error) }
  }

  borrowing func stateFolder(of id: ItemID) throws(SystemError) -> Folder {
    do throws(SystemError) {
      return try Folder(id.text, in: state)
    } catch { if error.errno.rawValue != ENOENT { throw error } }
    return try state.makeFolder(id.text, mode: Self.folderMode)
  }

  /// Removes what was noted about items that are nowhere any more, and returns how many those were.
  public borrowing func forgetStaleStates() throws(SpoolError) -> Int {
    var count = 0
    for id in try idsWithState() {
      do throws(SystemError) {
        // In the direction of a retry, or an item that is moved meanwhile would be missed.
        if try failed.contains(id.text) { continue }
        if try delivered.contains(id.text) { continue }
        if try new.contains(id.text) { continue }
        try state.removeTree(id.text)
      } catch { throw .system(error) }
      count += 1
    }
    return count
  }

  /// Forgets what one sink answered about an item.
  borrowing func forgetState(of sink: String, for id: ItemID) throws(SystemError) {
    let folder = try Folder(id.text, in: state)
    try folder.remove(sink)
    try folder.sync()
  }
}
