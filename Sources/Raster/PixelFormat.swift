/// How a panel takes its pixels.
public enum PixelFormat: BitwiseCopyable, Sendable, Equatable {
  /// 32 bits, 0xXXRRGGBB in the machine's little-endian words (`DRM_FORMAT_XRGB8888`).
  case xrgb8888
  /// 16 bits, five, six and five (`DRM_FORMAT_RGB565`).
  case rgb565

  /// Bytes of a pixel.
  @inlinable public var bytesPerPixel: Int {
    switch self {
    case .xrgb8888: 4
    case .rgb565: 2
    }
  }
}
