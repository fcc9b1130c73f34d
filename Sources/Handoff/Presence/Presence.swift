internal import Configuration
internal import JSON
internal import Linux

/// The content of a status message. It contains no personal data.
struct Presence: Equatable, Sendable {
  /// State, touchscreen and panel of the pad.
  var pad = PadStatus()
  /// The number of items that wait for a sink; nil: unknown.
  var waiting: Int? = 0
  /// When the oldest of them was signed, in nanoseconds since 1970.
  var oldest: Int64?
  /// The number of items in `failed`.
  var failed = 0
  /// The free space of the spool, in bytes.
  var freeBytes: Int64?
  /// When the last signature was published, in seconds since 1970.
  var lastSignature: Int64?
  /// When the first of the certificates expires, in seconds since 1970.
  var expiry: Int64?

  private static let day: Int64 = 86_400

  /// The certificates' remaining days at a time in seconds, rounded down; nil: unknown.
  func remainingDays(at time: Int64) -> Int64? {
    guard let expiry else { return nil }
    let left = expiry - time
    return left >= 0 ? left / Self.day : -((-left + Self.day - 1) / Self.day)
  }

  /// The message at the time of the wall clock, in nanoseconds since 1970.
  func json(device: String, connected: String, at time: Int64 = WallClock.now) -> [UInt8] {
    let age = oldest.map { max(0, time - $0) / 1_000_000_000 }
    let members: [(String, JSONValue)] = [
      ("status", .text("online")), ("device", .text(device)),
      ("version", .text(DaemonArguments.version)), ("connected", .text(connected)),
      ("time", .text(WallClock.text(time))), ("state", .text(pad.state)),
      ("touch", pad.touch.map { .flag($0) } ?? .null),
      ("panel", pad.panel.map { .flag($0) } ?? .null), ("waiting", .integer(waiting)),
      ("oldest_seconds", .integer(age)), ("failed", .integer(failed)),
      ("free_bytes", .integer(freeBytes)),
      (
        "last_signature",
        .text(
          lastSignature.map {
            WallClock.text($0.multipliedReportingOverflow(by: 1_000_000_000).partialValue)
          })
      ),
      ("certificate_days", .integer(remainingDays(at: time / 1_000_000_000))),
    ]
    return JSONValue.object(members).bytes()
  }

  /// The last will.
  static func offline(device: String, connected: String) -> [UInt8] {
    let members: [(String, JSONValue)] = [
      ("status", .text("offline")), ("device", .text(device)),
      ("version", .text(DaemonArguments.version)), ("connected", .text(connected)),
    ]
    return JSONValue.object(members).bytes()
  }

  /// Whether a reader should know of the difference at once: not of an age, nor of some bytes.
  func differs(from other: Presence) -> Bool {
    var (a, b) = (self, other)
    (a.oldest, b.oldest) = (nil, nil)
    (a.freeBytes, b.freeBytes) = (Self.magnitude(a.freeBytes), Self.magnitude(b.freeBytes))
    return a != b
  }

  /// The power of two of an amount.
  private static func magnitude(_ bytes: Int64?) -> Int64? {
    bytes.map { Int64(Int64.bitWidth - max(0, $0).leadingZeroBitCount) }
  }
}
