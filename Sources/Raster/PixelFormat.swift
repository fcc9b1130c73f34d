/// A panel's pixel format, by its name in `drm_fourcc.h`.
///
/// Channels are named from the highest bit of a little-endian word to the lowest. The panel ignores X. A is
/// always opaque here, as some panels blend with it.
public enum PixelFormat: BitwiseCopyable, Sendable, Equatable, CaseIterable {
  /// 32 bits, 0xXXRRGGBB: the canvas's own format.
  case xrgb8888
  /// 32 bits.
  case argb8888, xbgr8888, abgr8888, rgbx8888, rgba8888, bgrx8888, bgra8888
  /// 24 bits.
  case rgb888, bgr888
  /// 16 bits: five, six and five; dithered.
  case rgb565

  /// The bytes of a pixel.
  @inlinable public var bytesPerPixel: Int {
    switch self {
    case .rgb565: 2
    case .rgb888, .bgr888: 3
    case .xrgb8888, .argb8888, .xbgr8888, .abgr8888, .rgbx8888, .rgba8888, .bgrx8888, .bgra8888: 4
    }
  }

  /// Converts a canvas's pixel (0xXXRRGGBB) to an opaque word of this format.
  ///
  /// With a 24-bit format, the pixel's bytes are the lower part of the word. 16-bit formats are dithered
  /// instead (`Dither`).
  public func word(_ pixel: UInt32) -> UInt32 {
    let (red, green, blue) = (pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF)
    return switch self {
    case .xrgb8888, .argb8888, .rgb888, .rgb565: pixel | 0xFF00_0000
    case .xbgr8888, .abgr8888, .bgr888: 0xFF00_0000 | blue << 16 | green << 8 | red
    case .rgbx8888, .rgba8888: red << 24 | green << 16 | blue << 8 | 0xFF
    case .bgrx8888, .bgra8888: blue << 24 | green << 16 | red << 8 | 0xFF
    }
  }

  /// Converts a word of this format to the canvas's pixel, 0xFFRRGGBB.
  public func pixel(_ word: UInt32) -> UInt32 {
    switch self {
    case .xrgb8888, .argb8888, .rgb888: return word | 0xFF00_0000
    // Red and blue are exchanged.
    case .xbgr8888, .abgr8888, .bgr888:
      return 0xFF00_0000 | (word & 0xFF) << 16 | word & 0xFF00 | word >> 16 & 0xFF
    case .rgbx8888, .rgba8888: return 0xFF00_0000 | word >> 8
    case .bgrx8888, .bgra8888:
      return 0xFF00_0000 | (word >> 8 & 0xFF) << 16 | (word >> 16 & 0xFF) << 8 | word >> 24
    case .rgb565:
      let (red, green, blue) = (word >> 11 & 31, word >> 5 & 63, word & 31)
      return 0xFF00_0000 | (red << 3 | red >> 2) << 16 | (green << 2 | green >> 4) << 8
        | (blue << 3 | blue >> 2)
    }
  }
}
