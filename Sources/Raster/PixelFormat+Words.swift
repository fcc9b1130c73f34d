extension PixelFormat {
  /// A canvas's pixel (0xXXRRGGBB) as a word of this format, opaque. Of a format of 24 bits the word has the
  /// pixel's bytes in its lower part. Formats of 16 bits are dithered instead (`Dither`).
  public func word(_ pixel: UInt32) -> UInt32 {
    let (red, green, blue) = (pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF)
    return switch self {
    case .xrgb8888, .argb8888, .rgb888, .rgb565: pixel | 0xFF00_0000
    case .xbgr8888, .abgr8888, .bgr888: 0xFF00_0000 | blue << 16 | green << 8 | red
    case .rgbx8888, .rgba8888: red << 24 | green << 16 | blue << 8 | 0xFF
    case .bgrx8888, .bgra8888: blue << 24 | green << 16 | red << 8 | 0xFF
    }
  }

  /// The canvas's pixel, 0xFFRRGGBB, that a word of this format shows.
  public func pixel(_ word: UInt32) -> UInt32 {
    switch self {
    case .xrgb8888, .argb8888, .rgb888: return word | 0xFF00_0000
    // Red and blue change places.
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
