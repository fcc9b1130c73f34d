/// XRGB8888 to RGB565 by ordered dithering with Bayer's 8 × 8 matrix (Bayer, 1973): what a channel
/// loses is spread over the 64 pixels around, fixed to the panel, so that redrawing a part never shows.
public enum Dither {
  /// Thresholds 0…63; rows are the low bits of y.
  static let matrix: InlineArray<64, UInt8> = [
    0, 32, 8, 40, 2, 34, 10, 42,
    48, 16, 56, 24, 50, 18, 58, 26,
    12, 44, 4, 36, 14, 46, 6, 38,
    60, 28, 52, 20, 62, 30, 54, 22,
    3, 35, 11, 43, 1, 33, 9, 41,
    51, 19, 59, 27, 49, 17, 57, 25,
    15, 47, 7, 39, 13, 45, 5, 37,
    63, 31, 55, 23, 61, 29, 53, 21,
  ]

  /// Converts a part of a row.
  ///
  /// - Parameters:
  ///   - pixels: XRGB8888, from column `x` of row `y` of the panel.
  ///   - output: At least as long.
  public static func rgb565(
    _ pixels: Span<UInt32>, x: Int, y: Int, to output: inout MutableSpan<UInt16>
  ) {
    precondition(pixels.count <= output.count)
    let row = (y & 7) &* 8
    for index in pixels.indices {
      output[index] = rgb565(pixels[index], UInt32(matrix[row &+ ((x &+ index) & 7)]))
    }
  }

  /// One pixel: v·31 and v·63 over 255 with a threshold of 0…63/64 added before rounding down. Black
  /// and white stay what they are.
  @inline(__always)
  static func rgb565(_ pixel: UInt32, _ threshold: UInt32) -> UInt16 {
    let level = threshold &* 4 &+ 1
    let red = channel((pixel &>> 16) & 255, 31, level)
    let green = channel((pixel &>> 8) & 255, 63, level)
    let blue = channel(pixel & 255, 31, level)
    return UInt16(truncatingIfNeeded: red &<< 11 | green &<< 5 | blue)
  }

  /// ⌊(v·steps + level·255/256)/255⌋ by a multiplication that is exact up to 2¹⁶.
  @inline(__always)
  private static func channel(_ value: UInt32, _ steps: UInt32, _ level: UInt32) -> UInt32 {
    ((value &* steps &+ ((level &* 255) &>> 8)) &* 32897) &>> 23
  }
}
