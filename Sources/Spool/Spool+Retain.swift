internal import CLinux
internal import Linux

extension Spool {
  /// In the folder of an item's states; no sink's name has a dot.
  private static let stampName = ".delivered"
  /// In `state`; no id starts with a dot.
  private static let odometerName = ".odometer"

  /// Notes when an item was delivered.
  public borrowing func stamp(_ id: ItemID, _ stamp: RetentionStamp) throws(SpoolError) {
    do throws(SystemError) {
      let folder = try stateFolder(of: id)
      try folder.replaceFile(Self.stampName, stamp.bytes, synced: false)
    } catch { throw .system(error) }
  }

  /// When an item was delivered; nil if that was not noted, or is damaged.
  public borrowing func stamp(of id: ItemID) throws(SpoolError) -> RetentionStamp? {
    try read(id.text + "/" + Self.stampName).flatMap { RetentionStamp($0) }
  }

  /// How long handoff has run in its life, in nanoseconds, as it noted last.
  public borrowing func odometer() throws(SpoolError) -> Int64 {
    try read(Self.odometerName).flatMap { RetentionStamp($0) }?.odometer ?? 0
  }

  /// Notes how long handoff has run.
  public borrowing func setOdometer(_ stamp: RetentionStamp) throws(SpoolError) {
    do throws(SystemError) {
      try state.replaceFile(Self.odometerName, stamp.bytes, synced: true)
    } catch { throw .system(error) }
  }

  private borrowing func read(_ name: String) throws(SpoolError) -> [UInt8]? {
    do throws(SystemError) {
      let file = try state.openFile(name)
      return try SystemError.naming("read", state.path + "/" + name) { () throws(Errno) in
        try file.readAll(limit: 256)
      }
    } catch {
      if error.errno.rawValue == ENOENT { return nil }
      throw .system(error)
    }
  }
}
