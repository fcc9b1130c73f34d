/// The last line of a program's output that is not blank, as it comes in pieces.
struct LastLine {
  /// Enough for a reason.
  private static let limit = 200

  private var last: [UInt8] = []
  private var current: [UInt8] = []

  /// Takes the next piece.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        finish()
      } else if current.count < Self.limit {
        // Nothing that moves a terminal's cursor.
        current.append(byte >= 0x20 && byte < 0x7f ? byte : UInt8(ascii: "?"))
      }
    }
  }

  private mutating func finish() {
    if current.contains(where: { $0 != UInt8(ascii: " ") }) { last = current }
    current.removeAll()
  }

  /// Empty if there was none.
  var text: String {
    var whole = self
    whole.finish()
    return String(decoding: whole.last, as: UTF8.self)
  }
}
