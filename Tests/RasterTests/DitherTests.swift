import Testing

@testable import Raster

@Suite struct DitherTests {
  func converted(_ pixel: UInt32, x: Int, y: Int) -> UInt16 {
    let pixels = [pixel]
    var output = [UInt16(0)]
    var span = output.mutableSpan
    Dither.rgb565(pixels.span, x: x, y: y, to: &span)
    return output[0]
  }

  @Test func `paper stays white and ink black`() {
    for y in 0..<8 {
      for x in 0..<8 {
        #expect(converted(0xFFFF_FFFF, x: x, y: y) == 0xFFFF)
        #expect(converted(0xFF00_0000, x: x, y: y) == 0)
      }
    }
  }

  @Test func `over eight by eight pixels a shade keeps its brightness`() {
    for level in 0...255 as ClosedRange<UInt32> {
      var red = 0
      var green = 0
      var blue = 0
      for y in 0..<8 {
        for x in 0..<8 {
          let pixel = Int(converted(level << 16 | level << 8 | level, x: x + 3, y: y + 5))
          red += pixel >> 11
          green += pixel >> 5 & 63
          blue += pixel & 31
        }
      }
      let wanted = Double(level) / 255
      #expect(abs(Double(red) / 64 / 31 - wanted) <= 0.5 / 64)
      #expect(abs(Double(green) / 64 / 63 - wanted) <= 0.5 / 64)
      #expect(red == blue)
    }
  }

  @Test func `a row converts the same in one piece and in two`() {
    let pixels = (0..<64).map { UInt32($0 * 0x030201) }
    var whole = [UInt16](repeating: 0, count: 64)
    var span = whole.mutableSpan
    Dither.rgb565(pixels.span, x: 7, y: 3, to: &span)
    for (index, pixel) in pixels.enumerated() {
      #expect(converted(pixel, x: 7 + index, y: 3) == whole[index])
    }
  }

  @Test func `every threshold occurs once`() {
    var seen = Set<UInt8>()
    for index in 0..<64 { seen.insert(Dither.matrix[index]) }
    #expect(seen.count == 64 && seen.max() == 63)
  }
}
