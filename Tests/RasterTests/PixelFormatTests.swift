import Raster
import Testing

@Suite struct PixelFormatTests {
  /// The bytes in memory of red 0x11, green 0x22 and blue 0x33.
  private static let bytes: [(PixelFormat, [UInt8])] = [
    (.xrgb8888, [0x33, 0x22, 0x11, 0xFF]), (.argb8888, [0x33, 0x22, 0x11, 0xFF]),
    (.xbgr8888, [0x11, 0x22, 0x33, 0xFF]), (.abgr8888, [0x11, 0x22, 0x33, 0xFF]),
    (.rgbx8888, [0xFF, 0x33, 0x22, 0x11]), (.rgba8888, [0xFF, 0x33, 0x22, 0x11]),
    (.bgrx8888, [0xFF, 0x11, 0x22, 0x33]), (.bgra8888, [0xFF, 0x11, 0x22, 0x33]),
    (.rgb888, [0x33, 0x22, 0x11]), (.bgr888, [0x11, 0x22, 0x33]),
  ]

  @Test(arguments: bytes)
  func `a pixel has its channels where drm_fourcc.h says, and is opaque`(
    format: PixelFormat, expected: [UInt8]
  ) {
    #expect(format.bytesPerPixel == expected.count)
    for top: UInt32 in [0, 0xFF00_0000] {
      let word = format.word(top | 0x11_2233)
      let bytes = (0..<format.bytesPerPixel).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      #expect(bytes == expected)
    }
  }

  @Test func `each format but the dithered one has its code of drm_fourcc.h`() {
    #expect(Self.bytes.count == PixelFormat.allCases.count - 1)
  }

  @Test func `a pixel of 16 bits reads back with its first bits repeated in the last`() {
    #expect(PixelFormat.rgb565.pixel(0xFFFF) == 0xFFFF_FFFF)
    #expect(PixelFormat.rgb565.pixel(0) == 0xFF00_0000)
    #expect(PixelFormat.rgb565.pixel(16 << 11 | 32 << 5 | 16) == 0xFF84_8284)
  }

  @Test(arguments: PixelFormat.allCases.filter { $0 != .rgb565 })
  func `a written pixel reads back`(format: PixelFormat) {
    for pixel: UInt32 in [0xFF00_0000, 0xFFFF_FFFF, 0xFF12_3456, 0xFFFE_DCBA] {
      let mask: UInt32 = format.bytesPerPixel == 3 ? 0xFF_FFFF : .max
      #expect(format.pixel(format.word(pixel) & mask) == pixel)
    }
  }
}
