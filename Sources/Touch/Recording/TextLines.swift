/// The lines of a file that may be anything: bytes in, no assumption about the encoding.
struct TextLines {
  private let bytes: [UInt8]
  private var position = 0
  /// The number of the line that `next` answered last, from 1.
  private(set) var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // The byte order mark that some editors leave.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The next line without its end (LF or CR LF), or nil after the last one.
  mutating func next() -> FieldCursor? {
    guard position < bytes.count else { return nil }
    let start = position
    while position < bytes.count && bytes[position] != UInt8(ascii: "\n") { position += 1 }
    var end = position
    position += 1
    if end > start && bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    number += 1
    return FieldCursor(bytes[start..<end])
  }

  /// Whether nothing but blank lines follows: a mistake in the line before is then the mark of a
  /// recording that was cut off.
  var isAtEnd: Bool {
    bytes[min(position, bytes.count)...].allSatisfy { FieldCursor.isBlank($0) || $0 == 10 }
  }
}
