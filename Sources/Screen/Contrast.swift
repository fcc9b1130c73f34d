internal import CLinux

/// The contrast ratio of two colours, as WCAG 2.2 defines it.
enum Contrast {
  /// The minimum for text (WCAG 2.2, 1.4.6).
  static let ofWords = 7.0

  /// From 1 (equal) to 21 (black and white). Colours are 0xRRGGBB.
  static func ratio(_ a: UInt32, _ b: UInt32) -> Double {
    let (x, y) = (luminance(a), luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  private static func luminance(_ colour: UInt32) -> Double {
    func linear(_ shift: UInt32) -> Double { light[Int(colour >> shift & 0xFF)] }
    return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
  }

  /// The linear light of each sRGB level.
  private static let light: [Double] = (0...255).map { level in
    let value = Double(level) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
