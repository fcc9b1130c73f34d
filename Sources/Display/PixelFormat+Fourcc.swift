internal import CLibdrm
public import Raster

extension PixelFormat {
  /// The fourcc of `drm_fourcc.h`.
  var fourcc: UInt32 {
    self == .xrgb8888 ? CLibdrm_FORMAT_XRGB8888 : CLibdrm_FORMAT_RGB565
  }

  /// For people, as in `drm_fourcc.h`.
  public var name: String { self == .xrgb8888 ? "XRGB8888" : "RGB565" }

  /// For the ADDFB of drivers older than ADDFB2.
  var depth: UInt8 { self == .xrgb8888 ? 24 : 16 }
}
