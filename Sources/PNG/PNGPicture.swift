public import Raster

/// A decoded picture with 8 bits per channel, in rows from the top without padding.
public struct PNGPicture: Equatable, Sendable {
  /// The channels of a pixel; the raw value is its size in bytes.
  public enum Channels: Int, Sendable {
    /// 0 black … 255 white.
    case grey = 1
    /// Grey, then opacity.
    case greyAlpha
    /// Red, green, blue.
    case rgb
    /// Red, green, blue, opacity.
    case rgba
  }

  /// Width and height in pixels.
  public let width, height: Int
  /// The channels of a pixel.
  public let channels: Channels
  /// `height` rows of `width` pixels.
  public let bytes: [UInt8]
  /// Pixels per millimetre; nil if the file has no density.
  public let scale: Scale?
  /// The texts in the order of the file.
  public let texts: [PNGText]

  /// The text under a key.
  public func text(_ key: String) -> String? { texts.first { $0.key == key }?.value }

  /// The darkness of each pixel on white, 0…255; for black ink, its coverage.
  public func darkness() -> [UInt8] {
    var result = [UInt8](repeating: 0, count: width * height)
    let size = channels.rawValue
    for pixel in result.indices {
      let first = pixel * size
      let light: Int
      switch channels {
      case .grey, .greyAlpha: light = Int(bytes[first])
      case .rgb, .rgba:
        // Rec. 601's weights, times 256.
        light =
          (77 * Int(bytes[first]) + 150 * Int(bytes[first + 1]) + 29 * Int(bytes[first + 2])) >> 8
      }
      let opacity: Int
      switch channels {
      case .grey, .rgb: opacity = 255
      case .greyAlpha, .rgba: opacity = Int(bytes[first + size - 1])
      }
      result[pixel] = UInt8(truncatingIfNeeded: ((255 - light) * opacity + 127) / 255)
    }
    return result
  }
}
