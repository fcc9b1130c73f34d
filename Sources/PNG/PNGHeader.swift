internal import CPNG
public import Raster

/// The size, pixel format, density and texts of a PNG to write.
public struct PNGHeader: Sendable {
  /// The format of the caller's pixels, and the PNG's colour type for it.
  public enum Pixels: Equatable, Sendable {
    /// One byte: 0 black … 255 white. An 8-bit grey PNG.
    case grey
    /// One byte: 0 white … 255 black, as the coverage of black ink on white. An 8-bit grey PNG.
    case darkness
    /// One byte of coverage: 0 transparent … 255 ink. A palette PNG of the ink's colour with 256 opacities.
    ///
    /// It is as exact as RGBA, 18 times as fast and half the size.
    case ink(red: UInt8, green: UInt8, blue: UInt8)
    /// Three bytes: red, green, blue.
    case rgb
    /// A word of XRGB8888 as in DRM. An RGB PNG.
    case xrgb

    /// The size of a pixel in bytes.
    public var size: Int {
      switch self {
      case .grey, .darkness, .ink: 1
      case .rgb: 3
      case .xrgb: 4
      }
    }
  }

  /// Width and height in pixels.
  public var width, height: Int
  /// The format of the pixels.
  public var pixels: Pixels
  /// Pixels per millimetre (`pHYs`); nil: no density.
  public var scale: Scale?
  /// The texts, written in order before the pixels.
  public var texts: [PNGText]

  /// A header for `width` × `height` pixels.
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
  /// The header for the C shim; the caller has checked the size.
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

  /// Pixels per metre; 0 (no `pHYs`) for an invalid density, or one above PNG's limit of 2³¹ − 1.
  private static func perMetre(_ perMillimetre: Float?) -> UInt32 {
    guard let density = perMillimetre, density > 0, density < 2_000_000 else { return 0 }
    return UInt32((density * 1000).rounded())
  }
}

/// A text with its key: `tEXt` if it is ASCII, else `iTXt` (UTF-8).
public struct PNGText: Equatable, Sendable {
  /// The key: 1 to 79 printable ASCII characters, such as "Creation Time".
  public let key: String
  /// The text, without NUL.
  public let value: String

  /// A text; `PNGFile.encode` checks that it is valid.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }

  /// A time under its registered key, as RFC 3339 (PNG specification, third edition).
  public static func creationTime(_ value: String) -> PNGText { PNGText("Creation Time", value) }

  /// The writing program under its registered key.
  public static func software(_ value: String) -> PNGText { PNGText("Software", value) }

  var isASCII: Bool { value.utf8.allSatisfy { $0 < 0x80 } }

  /// Whether the key has no leading, trailing or doubled spaces (PNG specification, 11.3.4.2).
  var isValid: Bool {
    var before: UInt8 = 0x20
    for byte in key.utf8 {
      guard byte >= 0x20, byte < 0x7f, !(byte == 0x20 && before == 0x20) else { return false }
      before = byte
    }
    // `before` is a space if the key is empty or ends in a space.
    return before != 0x20 && key.utf8.count <= 79 && !value.utf8.contains(0)
  }
}
