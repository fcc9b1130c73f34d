/// The elements of an encoding in DER (X.690), one after the other. Their tags have one byte, their lengths 1 to 5.
struct DERReader {
  /// The unread bytes.
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads an element. Returns its content; nil: the next element has another tag, is cut, or has no length.
  mutating func next(_ tag: UInt8) -> DERReader? {
    guard rest.first == tag, let first = rest.dropFirst().first else { return nil }
    var (content, size) = (rest.dropFirst(2), Int(first))
    if first >= 0x80 {
      let (count, lengths) = (Int(first & 0x7f), content)
      guard (1...4).contains(count), lengths.count >= count,
        let length = Int(exactly: lengths.prefix(count).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
      else { return nil }
      (content, size) = (lengths.dropFirst(count), length)
    }
    guard size <= content.count else { return nil }
    rest = content.dropFirst(size)
    return DERReader(content.prefix(size))
  }

  /// Reads elements that are encoded as these bytes. Returns false if other ones are next.
  mutating func skip(_ encoding: [UInt8]) -> Bool {
    guard rest.starts(with: encoding) else { return false }
    rest = rest.dropFirst(encoding.count)
    return true
  }
}
