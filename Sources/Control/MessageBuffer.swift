/// Bytes of a connection, cut into messages: each ends with a NUL (varlink.org, "Method Call").
struct MessageBuffer: Sendable {
  /// In bytes. A request with the longest texts has 21 kB if every letter is written as an escape.
  static let limit = 32 << 10

  private var bytes: [UInt8] = []
  /// So far no NUL was found.
  private var scanned = 0

  /// How many more bytes may come.
  var room: Int { MessageBuffer.limit - bytes.count }

  /// Adds what was read, at most `room` bytes.
  mutating func append(_ more: ArraySlice<UInt8>) { bytes += more.prefix(room) }

  /// The next message, without its NUL.
  mutating func next() -> [UInt8]? {
    while scanned < bytes.count {
      if bytes[scanned] == 0 {
        let message = Array(bytes[..<scanned])
        bytes.removeFirst(scanned + 1)
        scanned = 0
        return message
      }
      scanned += 1
    }
    return nil
  }

  /// Whether the buffer is full and no message in it ends.
  var isOverlong: Bool { room == 0 && scanned == bytes.count }
}
