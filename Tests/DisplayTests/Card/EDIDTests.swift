import Testing

@testable import Display

@Suite struct EDIDTests {
  /// A base block with a size in centimetres, one detailed timing with millimetres, and a name.
  static func block(centimetres: (UInt8, UInt8), millimetres: (Int, Int), name: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 128)
    for index in 1...6 { bytes[index] = 255 }
    (bytes[21], bytes[22]) = centimetres
    (bytes[54], bytes[55]) = (0x01, 0x1D)
    bytes[66] = UInt8(truncatingIfNeeded: millimetres.0)
    bytes[67] = UInt8(truncatingIfNeeded: millimetres.1)
    bytes[68] = UInt8(millimetres.0 >> 8) << 4 | UInt8(millimetres.1 >> 8)
    bytes[75] = 0xFC
    for (index, byte) in (Array(name.utf8) + [0x0A]).prefix(13).enumerated() {
      bytes[77 + index] = byte
    }
    bytes[127] = 0 &- bytes.reduce(0, &+)
    return bytes
  }

  @Test func `millimetres come from the first detailed timing`() throws {
    let edid = try #require(
      EDID(Self.block(centimetres: (22, 14), millimetres: (216, 135), name: "Pad 10")))
    #expect(edid.size == PhysicalSize(width: 216, height: 135))
    #expect(edid.name == "Pad 10")
  }

  @Test func `a timing that contradicts the header is filler`() throws {
    let edid = try #require(
      EDID(Self.block(centimetres: (22, 14), millimetres: (708, 398), name: "")))
    #expect(edid.size == PhysicalSize(width: 220, height: 140))
  }

  @Test func `an aspect ratio in the header is not a size`() throws {
    let edid = try #require(EDID(Self.block(centimetres: (79, 0), millimetres: (0, 0), name: "")))
    #expect(edid.size == nil)
  }

  @Test func `wide panels use the upper bits`() throws {
    let edid = try #require(
      EDID(Self.block(centimetres: (61, 35), millimetres: (610, 350), name: "")))
    #expect(edid.size == PhysicalSize(width: 610, height: 350))
  }

  @Test func `a damaged or truncated block is ignored`() {
    var bytes = Self.block(centimetres: (22, 14), millimetres: (216, 135), name: "Pad")
    #expect(EDID(Array(bytes.dropLast())) == nil)
    bytes[40] ^= 1
    #expect(EDID(bytes) == nil)
    #expect(EDID([]) == nil)
  }
}
