internal import Linux

/// When something was delivered, by the two clocks that a board has: one that only counts while it
/// runs, and one that may be wrong.
public struct RetentionStamp: Equatable, Sendable {
  /// How long handoff had run in all its life, in nanoseconds.
  public var odometer: Int64
  /// Nanoseconds since 1970.
  public var wall: Int64
  /// Whether the second clock was set.
  public var synchronized: Bool

  /// A reading of both clocks.
  public init(odometer: Int64, wall: Int64, synchronized: Bool) {
    self.odometer = odometer
    self.wall = wall
    self.synchronized = synchronized
  }

  /// Whether at least `age` nanoseconds lie between this and `now`, by the clock that says more. A clock
  /// that was not set, then or now, says nothing: 1970 is not old.
  public func isOlder(than age: Int64, at now: RetentionStamp) -> Bool {
    if now.odometer - odometer >= age { return true }
    return synchronized && now.synchronized && now.wall - wall >= age
  }

  var bytes: [UInt8] { Array("\(odometer) \(wall) \(synchronized ? 1 : 0)\n".utf8) }

  /// More than a board runs in its life (146 years), and little enough for a life to be added.
  private static let longestLife = Int64.max / 2

  /// Three numbers; nil for anything else. Others of the group can write them: neither clock is before its
  /// beginning, so that differences stay in bounds.
  init?(_ bytes: [UInt8]) {
    let words = bytes.split(whereSeparator: { $0 == 0x20 || $0 == 0x0a })
    let numbers = words.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
    guard words.count == 3, numbers.count == 3, (0...Self.longestLife).contains(numbers[0]),
      numbers[1] >= 0
    else { return nil }
    self.init(odometer: numbers[0], wall: numbers[1], synchronized: numbers[2] == 1)
  }
}
