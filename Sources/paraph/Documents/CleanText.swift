import Linux

/// A text as the pad receives it: UTF-8 without a byte order mark, lines that end in a line feed.
struct CleanText {
  let bytes: [UInt8]

  /// A reason why a file is not a text, and the line, from 1.
  struct Flaw: Error, Equatable {
    let line: Int
    let reason: String
  }

  /// Removes a byte order mark and each carriage return before a line feed, and checks the rest.
  init(_ file: [UInt8]) throws(Flaw) {
    let lineFeed = UInt8(ascii: "\n"), carriageReturn = UInt8(ascii: "\r")
    var rest = file[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rest.count)
    for index in rest.indices {
      let isLineEnd = rest[index] == carriageReturn && rest[index...].dropFirst().first == lineFeed
      if !isLineEnd { bytes.append(rest[index]) }
    }
    if bytes.isEmpty { throw Flaw(line: 1, reason: "the text is empty") }
    var line = 1
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .emptyInput:
        self.bytes = bytes
        return
      case .error: throw Flaw(line: line, reason: "invalid UTF-8")
      case .scalarValue("\n"): line += 1
      case .scalarValue("\t"): break
      case .scalarValue(let scalar):
        if scalar.isControl {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          let padding = String(repeating: "0", count: 4 - digits.utf8.count)
          throw Flaw(line: line, reason: "control character U+\(padding)\(digits)")
        }
      }
    }
  }
}
