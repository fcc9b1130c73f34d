/// How a panel takes its pixels, by the names of `drm_fourcc.h`: channels from the highest bit of a little-endian
/// word to the lowest. X is ignored by the panel; A is always opaque here, as some panels blend with it.
public enum PixelFormat: BitwiseCopyable, Sendable, Equatable, CaseIterable {
  /// 32 bits, 0xXXRRGGBB: the canvas's own.
  case xrgb8888
  /// 32 bits.
  case argb8888, xbgr8888, abgr8888, rgbx8888, rgba8888, bgrx8888, bgra8888
  /// 24 bits.
  case rgb888, bgr888
  /// 16 bits, five, six and five; dithered.
  case rgb565

  /// Bytes of a pixel.
  @inlinable public var bytesPerPixel: Int {
    switch self {
    case .rgb565: 2
    case .rgb888, .bgr888: 3
    case .xrgb8888, .argb8888, .xbgr8888, .abgr8888, .rgbx8888, .rgba8888, .bgrx8888, .bgra8888: 4
    }
  }
}
