internal import CLibdrm
public import Raster

extension PixelFormat {
  /// The fourcc of `drm_fourcc.h`.
  var fourcc: UInt32 {
    switch self {
    case .xrgb8888: CLibdrm_FORMAT_XRGB8888
    case .argb8888: CLibdrm_FORMAT_ARGB8888
    case .xbgr8888: CLibdrm_FORMAT_XBGR8888
    case .abgr8888: CLibdrm_FORMAT_ABGR8888
    case .rgbx8888: CLibdrm_FORMAT_RGBX8888
    case .rgba8888: CLibdrm_FORMAT_RGBA8888
    case .bgrx8888: CLibdrm_FORMAT_BGRX8888
    case .bgra8888: CLibdrm_FORMAT_BGRA8888
    case .rgb888: CLibdrm_FORMAT_RGB888
    case .bgr888: CLibdrm_FORMAT_BGR888
    case .rgb565: CLibdrm_FORMAT_RGB565
    }
  }

  /// The name in `drm_fourcc.h`.
  public var name: String {
    switch self {
    case .xrgb8888: "XRGB8888"
    case .argb8888: "ARGB8888"
    case .xbgr8888: "XBGR8888"
    case .abgr8888: "ABGR8888"
    case .rgbx8888: "RGBX8888"
    case .rgba8888: "RGBA8888"
    case .bgrx8888: "BGRX8888"
    case .bgra8888: "BGRA8888"
    case .rgb888: "RGB888"
    case .bgr888: "BGR888"
    case .rgb565: "RGB565"
    }
  }

  /// The depth for drivers with ADDFB only (drm_mode_legacy_fb_format); nil if ADDFB has no name for the format.
  var depth: UInt8? {
    switch self {
    case .xrgb8888, .rgb888: 24
    case .argb8888: 32
    case .rgb565: 16
    case .xbgr8888, .abgr8888, .rgbx8888, .rgba8888, .bgrx8888, .bgra8888, .bgr888: nil
    }
  }

  /// All formats, the best first for a driver's preferred depth.
  ///
  /// 24 bits come last: not every driver has dumb buffers for them.
  static func preferred(depth: Int) -> [PixelFormat] {
    let wide: [PixelFormat] = [
      .xrgb8888, .argb8888, .xbgr8888, .abgr8888, .rgbx8888, .rgba8888, .bgrx8888, .bgra8888,
    ]
    return (depth == 16 ? [.rgb565] + wide : wide + [.rgb565]) + [.rgb888, .bgr888]
  }
}
