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
    return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
  }

  /// x to the power of 2.4, for x up to 1: x² times the fifth root of x², by Newton's method from above.
  /// No libm is linked.
  private static func power(_ x: Double) -> Double {
    let square = x * x
    var root = 1.0
    for _ in 0..<32 {
      let fourth = root * root * root * root
      root -= (root * fourth - square) / (5 * fourth)
    }
    return square * root
  }
}
