/// The size and name in a panel's EDID (VESA E-EDID 1.4, base block).
public struct EDID: Sendable, Equatable {
  /// The visible area.
  ///
  /// The first detailed timing has it in millimetres; the header, and thus the kernel's `mm_width`, only in
  /// whole centimetres.
  public let size: PhysicalSize?
  /// The display product name (descriptor 0xFC), or empty.
  public let name: String

  /// Parses a base block; nil if it is malformed or its checksum is wrong.
  public init?(_ bytes: [UInt8]) {
    let header: [UInt8] = [0, 255, 255, 255, 255, 255, 255, 0]
    guard bytes.count >= 128, bytes.prefix(8).elementsEqual(header),
      bytes.prefix(128).reduce(0, &+) == 0
    else { return nil }
    size = Self.size(bytes)
    name = Self.name(bytes)
  }

  private static func size(_ bytes: [UInt8]) -> PhysicalSize? {
    let (columns, rows) = (Int(bytes[21]), Int(bytes[22]))
    let isTiming = bytes[54] != 0 || bytes[55] != 0
    let width = Int(bytes[66]) | Int(bytes[68] >> 4) << 8
    let height = Int(bytes[67]) | Int(bytes[68] & 15) << 8
    // A timing that differs from the header by over a centimetre is filler.
    if isTiming, width > 0, height > 0,
      columns == 0 || abs(width - 10 * columns) <= 10,
      rows == 0 || abs(height - 10 * rows) <= 10
    {
      return PhysicalSize(width: Float(width), height: Float(height))
    }
    // If one is 0 the other is an aspect ratio.
    guard columns > 0, rows > 0 else { return nil }
    return PhysicalSize(width: Float(10 * columns), height: Float(10 * rows))
  }

  private static func name(_ bytes: [UInt8]) -> String {
    for start in stride(from: 54, through: 108, by: 18)
    where bytes[start] == 0 && bytes[start + 1] == 0 && bytes[start + 3] == 0xFC {
      let text = bytes[start + 5..<start + 18].prefix { $0 != 0x0A }
      let printable = text.map { (32...126).contains($0) ? $0 : UInt8(ascii: "?") }
      let end = (printable.lastIndex { $0 != 32 } ?? -1) + 1
      return String(decoding: printable[..<end], as: UTF8.self)
    }
    return ""
  }
}
