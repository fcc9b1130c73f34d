public import Raster

/// A picture that was read: eight bits a channel, in rows from the top without padding.
public struct PNGPicture: Equatable, Sendable {
  /// What a pixel consists of; the raw value is its size in bytes.
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

  /// In pixels.
  public let width, height: Int
  /// What a pixel consists of.
  public let channels: Channels
  /// `height` rows of `width` pixels.
  public let bytes: [UInt8]
  /// Pixels per millimetre, where the file says so.
  public let scale: Scale?
  /// In the order of the file.
  public let texts: [PNGText]

  /// The text under a key.
  public func text(_ key: String) -> String? { texts.first { $0.key == key }?.value }

  /// How dark each pixel is on white paper, 0…255: the ink's coverage where it is black.
  public func darkness() -> [UInt8] {
    var result = [UInt8](repeating: 0, count: width * height)
    let size = channels.rawValue
    for pixel in result.indices {
      let first = pixel * size
      let light: Int
      switch channels {
      case .grey, .greyAlpha: light = Int(bytes[first])
      case .rgb, .rgba:
        // Rec. 601's weights for red, green and blue, of 256.
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
