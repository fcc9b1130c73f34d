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
  ///
  /// - Parameter report: Gets a line for each that cannot be removed.
  public func prepare(report: (String) -> Void = { _ in }) throws(SpoolError) -> Int {
    try Spool.create(at: path).removeLeftovers(report: report)
  }

  /// Whether another signature can be taken: ask before anybody is asked to sign. Throws what is in
  /// the way; when that has gone, the next call returns.
  public func checkCapacity(_ limits: SpoolLimits) throws(SpoolError) {
    try Spool.open(at: path).checkCapacity(limits)
  }

  /// Whether a signature of about `size` bytes can be written: writes one and drops it. Some disks fail only
  /// then: a worn-out card, a quota.
  public mutating func checkWriting(size: Int) throws(SpoolError) {
    var draft = try begin()
    try draft.write(.png, [UInt8](repeating: 0, count: size))
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
