/// Bytes of a connection, cut into messages: each ends with a NUL (varlink.org, "Method Call").
struct MessageBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// So far no NUL was found.
  private var scanned = 0

  /// How many more bytes may come.
  var room: Int { ControlLimits.message - bytes.count }

  /// Adds what was read, at most `room` bytes.
  mutating func append(_ more: ArraySlice<UInt8>) { bytes += more.prefix(room) }

  /// Whether `next()` has one.
  var hasMessage: Bool {
    mutating get {
      while scanned < bytes.count && bytes[scanned] != 0 { scanned += 1 }
      return scanned < bytes.count
    }
  }

  /// The next message, without its NUL.
  mutating func next() -> [UInt8]? {
    guard hasMessage else { return nil }
    let message = Array(bytes[..<scanned])
    bytes.removeFirst(scanned + 1)
    scanned = 0
    return message
  }

  /// Whether the buffer is full and no message in it ends.
  var isOverlong: Bool { room == 0 && scanned == bytes.count }
}
