internal import CLinux
internal import Linux

/// Publishes the signatures of one pad. Belongs to the thread that saves; waits for the disk.
public struct Publisher: ~Copyable {
  /// The spool's folder.
  public let path: String
  private var ids = ItemIDSource()

  /// Does nothing yet.
  public init(at path: String) { self.path = path }

  /// Once, at the start: makes the folders that are missing and removes what a crash left in `tmp`.
  /// Returns how many left-overs there were.
  public func prepare() throws(SpoolError) -> Int {
    try Spool.create(at: path).removeLeftovers()
  }

  /// Whether another signature can be taken: ask before anybody is asked to sign. Throws what is in
  /// the way; when that has gone, the next call returns.
  public func checkRoom(_ limits: RoomLimits) throws(SpoolError) {
    try Spool.open(at: path).checkRoom(limits)
  }

  /// Starts a signature, stamped with the device's clock.
  public mutating func begin() throws(SpoolError) -> Draft {
    let time = WallClock.now
    let id: ItemID
    do throws(Errno) {
      id = try ids.next(at: time)
    } catch { throw .call("getrandom", path, error) }
    return try Draft(id: id, time: time, in: try Spool.open(at: path))
  }
}
