internal import CLinux
internal import Linux

/// Time stamps of items: of the pad's signature of the manifest, stored beside it by handoff.
extension Spool {
  /// The state of an item's time stamp.
  public enum Timestamp: Equatable, Sendable {
    /// The pad has not signed its manifest, so that there is nothing to be stamped.
    case unsigned
    /// It has none. `isMissed`: it is marked so, and sinks may have it.
    case absent(isMissed: Bool)
    /// It has one.
    case present
  }

  /// In the folder of an item's states. The name of a sink contains no dot.
  private static let failureName = ".timestamp"
  /// Beside it, while it is written.
  private static let draftName = ".timestamp-draft"

  /// What an item in `new` has; nil if it no longer exists.
  public borrowing func timestamp(of id: ItemID) throws(SpoolError) -> Timestamp? {
    do throws(SystemError) {
      let item: Folder
      do throws(SystemError) { item = try Folder(id.text, in: new) } catch {
        if error.isForeign { return nil }
        throw error
      }
      if try item.contains(Manifest.timestampName) { return .present }
      if try !item.contains(Manifest.signatureName) { return .unsigned }
      return .absent(isMissed: try item.contains(Manifest.missingTimestampName))
    } catch { throw .system(error) }
  }

  /// Stores a time stamp with its item, atomically and durably, wherever the item is. Removes the mark that it is
  /// missing. Returns false if the item no longer exists.
  public borrowing func store(timestamp: [UInt8], of id: ItemID) throws(SpoolError) -> Bool {
    // Does not use the space reserved for records: a time stamp can come later, but an unrecorded
    // delivery is worse.
    try spooling { () throws(SystemError) in
      guard let item = try itemFolder(of: id) else { return false }
      // Drafted outside of the item, because readers refuse an item with an unknown file.
      let state = try stateFolder(of: id)
      try state.replaceFile(Self.draftName, timestamp, synced: true)
      do throws(SystemError) {
        try state.rename(Self.draftName, to: item, as: Manifest.timestampName)
        try item.sync()
        try item.removeTree(Manifest.missingTimestampName)
      } catch {
        if error.errno.rawValue != ENOENT { throw error }
        // The item was removed meanwhile.
        try removeStateIfEmpty(id, state)
        return false
      }
      try state.removeTree(Self.failureName)
      try removeStateIfEmpty(id, state)
      return true
    }
  }

  /// Marks an item in `new` as one that sinks may take without its time stamp, durably. On a full
  /// disk, the mark is an empty file.
  public borrowing func markMissingTimestamp(
    of id: ItemID, reason: String
  ) throws(SpoolError) {
    do throws(SystemError) {
      let item = try Folder(id.text, in: new)
      if try item.contains(Manifest.missingTimestampName) { return }
      let text = Array((reason + "\n").utf8.prefix(Manifest.missingTimestampLimit))
      do throws(SystemError) {
        try item.writeFile(Manifest.missingTimestampName, text)
      } catch {
        guard error.isFullDisk else { throw error }
        try item.removeTree(Manifest.missingTimestampName)
        do throws(SystemError) {
          _ = try item.makeFile(Manifest.missingTimestampName, mode: Self.fileMode)
        } catch {
          guard error.isFullDisk, try releaseSpace() else { throw error }
          _ = try item.makeFile(Manifest.missingTimestampName, mode: Self.fileMode)
        }
      }
      try item.sync()
    } catch {
      if error.errno.rawValue != ENOENT { throw .system(error) }
    }
  }

  /// Records a failed attempt to fetch a time stamp. A power cut may lose it.
  public borrowing func recordTimestampFailure(
    _ failure: SinkState, of id: ItemID
  ) throws(SpoolError) {
    try spooling { () throws(SystemError) in
      if try !new.contains(id.text) { return }
      try stateFolder(of: id).replaceFile(Self.failureName, failure.bytes, synced: false)
    }
  }

  /// The failed attempts to fetch a time stamp; nil: none is recorded.
  public borrowing func timestampFailure(of id: ItemID) throws(SpoolError) -> SinkState? {
    do throws(SystemError) {
      return try Self.readState(Self.failureName, in: try Folder(id.text, in: state))
    } catch {
      if error.isForeign { return nil }
      throw .system(error)
    }
  }

  /// The folder of an item in any place; nil if there is none.
  private borrowing func itemFolder(of id: ItemID) throws(SystemError) -> Folder? {
    for place in [Place.new, .delivered, .failed] {
      do throws(SystemError) {
        return try Folder(id.text, in: try Folder(place.rawValue, in: root))
      } catch { if !error.isForeign { throw error } }
    }
    return nil
  }

  private borrowing func removeStateIfEmpty(
    _ id: ItemID, _ folder: borrowing Folder
  ) throws(SystemError) {
    try folder.removeTree(Self.draftName)
    if try folder.names().isEmpty {
      // A sink's record may come in between.
      do throws(SystemError) { try state.removeFolder(id.text) } catch {}
    }
  }
}
