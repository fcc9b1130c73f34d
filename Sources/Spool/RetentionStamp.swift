internal import CLinux
internal import Linux

/// The time of a delivery by two clocks.
///
/// A board without a battery has a wall clock that may be wrong. The accumulated uptime is never wrong, but
/// counts only while handoff runs.
public struct RetentionStamp: Equatable, Sendable {
  /// How long handoff has run in all its runs, in nanoseconds.
  public var accumulatedUptime: Int64
  /// Nanoseconds since 1970.
  public var wall: Int64
  /// Whether the wall clock was synchronised.
  public var synchronized: Bool

  /// A reading of both clocks.
  public init(accumulatedUptime: Int64, wall: Int64, synchronized: Bool) {
    self.accumulatedUptime = accumulatedUptime
    self.wall = wall
    self.synchronized = synchronized
  }

  /// Whether at least `age` nanoseconds have passed by either clock. The wall clock counts only if it was
  /// synchronised at both times.
  public func isOlder(than age: Int64, at now: RetentionStamp) -> Bool {
    if now.accumulatedUptime - accumulatedUptime >= age { return true }
    return synchronized && now.synchronized && now.wall - wall >= age
  }

  var bytes: [UInt8] { Array("\(accumulatedUptime) \(wall) \(synchronized ? 1 : 0)\n".utf8) }

  /// 146 years. Leaves room for the uptime of one run.
  private static let uptimeLimit = Int64.max / 2

  /// Parses three numbers. Returns nil for any other text, or for times before a clock's start: other users
  /// of the group can write the file.
  init?(_ bytes: [UInt8]) {
    let words = bytes.split(whereSeparator: { $0 == 0x20 || $0 == 0x0a })
    let numbers = words.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
    guard words.count == 3, numbers.count == 3, (0...Self.uptimeLimit).contains(numbers[0]),
      numbers[1] >= 0
    else { return nil }
    self.init(accumulatedUptime: numbers[0], wall: numbers[1], synchronized: numbers[2] == 1)
  }
}

extension Spool {
  /// In the folder of an item's states. The name of a sink contains no dot.
  private static let stampName = ".delivered"
  /// In `state`. An id contains no dot.
  private static let uptimeName = ".odometer"

  /// Records when an item was delivered.
  public borrowing func stamp(_ id: ItemID, _ stamp: RetentionStamp) throws(SpoolError) {
    do throws(SystemError) {
      let folder = try stateFolder(of: id)
      try folder.replaceFile(Self.stampName, stamp.bytes, synced: false)
    } catch { throw .system(error) }
  }

  /// Returns when an item was delivered; nil if there is no valid record.
  public borrowing func stamp(of id: ItemID) throws(SpoolError) -> RetentionStamp? {
    try read(id.text + "/" + Self.stampName).flatMap { RetentionStamp($0) }
  }

  /// Returns handoff's recorded uptime over all its runs, in nanoseconds.
  public borrowing func accumulatedUptime() throws(SpoolError) -> Int64 {
    try read(Self.uptimeName).flatMap { RetentionStamp($0) }?.accumulatedUptime ?? 0
  }

  /// Records handoff's uptime over all its runs.
  public borrowing func setAccumulatedUptime(_ stamp: RetentionStamp) throws(SpoolError) {
    try spooling { () throws(SystemError) in
      try state.replaceFile(Self.uptimeName, stamp.bytes, synced: true)
    }
  }

  private borrowing func read(_ name: String) throws(SpoolError) -> [UInt8]? {
    do throws(SystemError) {
      let file = try state.openFile(name)
      return try SystemError.naming("read", state.path + "/" + name) { () throws(Errno) in
        try file.readAll(limit: 256)
      }
    } catch {
      if error.isForeign { return nil }
      throw .system(error)
    }
  }
}
