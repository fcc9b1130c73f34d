public import Raster
internal import CPNG

/// What is to be written: size, kind of pixels, density and texts.
public struct PNGHeader: Sendable {
  /// How the caller's pixels lie in memory, and what becomes of them.
  public enum Pixels: Equatable, Sendable {
    /// One byte: 0 black … 255 white. An 8-bit grey PNG.
    case grey
    /// One byte: 0 white … 255 black, as the coverage of black ink on white paper. An 8-bit grey PNG.
    case darkness
    /// One byte: coverage, 0 nothing … 255 ink. A palette of the ink's colour with 256 opacities: as
    /// exact as RGBA, 18 times as fast and half the size.
    case ink(red: UInt8, green: UInt8, blue: UInt8)
    /// Three bytes: red, green, blue.
    case rgb
    /// A word: XRGB8888 as in DRM. An RGB PNG.
    case xrgb

    /// Bytes of a pixel in the caller's memory.
    public var size: Int {
      switch self {
      case .grey, .darkness, .ink: 1
      case .rgb: 3
      case .xrgb: 4
      }
    }
  }

  /// In pixels.
  public var width, height: Int
  /// The kind of pixels.
  public var pixels: Pixels
  /// Pixels per millimetre, for `pHYs`; without it the PNG has no density.
  public var scale: Scale?
  /// Written in order, before the pixels.
  public var texts: [PNGText]

  /// A picture of `width` × `height` pixels.
  public init(
    width: Int, height: Int, pixels: Pixels, scale: Scale? = nil, texts: [PNGText] = []
  ) {
    self.width = width
    self.height = height
    self.pixels = pixels
    self.scale = scale
    self.texts = texts
  }
}

extension PNGHeader {
  /// The same for C; sizes are checked before.
  var picture: CPNG_picture {
    var picture = CPNG_picture()
    picture.width = UInt32(clamping: width)
    picture.height = UInt32(clamping: height)
    picture.xPerMetre = PNGHeader.perMetre(scale?.x)
    picture.yPerMetre = PNGHeader.perMetre(scale?.y)
    switch pixels {
    case .grey: picture.format = Int32(CPNG_grey)
    case .darkness: picture.format = Int32(CPNG_darkness)
    case .ink(let red, let green, let blue):
      picture.format = Int32(CPNG_ink)
      (picture.red, picture.green, picture.blue) = (red, green, blue)
    case .rgb: picture.format = Int32(CPNG_rgb)
    case .xrgb: picture.format = Int32(CPNG_xrgb)
    }
    return picture
  }

  /// 0 (no `pHYs`) for what is no density. 2³¹ − 1 is PNG's largest number.
  private static func perMetre(_ perMillimetre: Float?) -> UInt32 {
    guard let density = perMillimetre, density > 0, density < 2_000_000 else { return 0 }
    return UInt32((density * 1000).rounded())
  }
}
