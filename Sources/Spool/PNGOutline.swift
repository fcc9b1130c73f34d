/// The chunks of a PNG, without what is in them: enough to tell a whole picture from a torn one.
enum PNGOutline {
  private static let mark: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Nil unless the chunks run from IHDR over IDAT to an IEND at the very end.
  static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.starts(with: mark) else { return nil }
    var size: (width: Int, height: Int)?
    var (place, hasData) = (mark.count, false)
    while let length = number(bytes, place), let type = number(bytes, place + 4) {
      // Before it is added to anything: any length is possible, and Int may have 32 bits.
      guard length <= bytes.count - place - 12 else { return nil }
      let end = place + 12 + length
      switch type {
      case 0x4948_4452:  // IHDR
        guard place == mark.count, length == 13, let width = number(bytes, place + 8),
          let height = number(bytes, place + 12)
        else { return nil }
        size = (width, height)
      case 0x4944_4154: hasData = true  // IDAT
      case 0x4945_4e44: return end == bytes.count && hasData ? size : nil  // IEND
      default: break
      }
      place = end
    }
    return nil
  }

  /// Four bytes, most significant first; nil beyond the end.
  private static func number(_ bytes: [UInt8], _ place: Int) -> Int? {
    guard place + 4 <= bytes.count else { return nil }
    let value = bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int(exactly: value)
  }
}
