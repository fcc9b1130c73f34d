/// Converts XRGB8888 to RGB565 by ordered dithering with Bayer's 8 × 8 matrix (Bayer, 1973).
///
/// The matrix distributes a channel's rounding error over 64 pixels. It is fixed to the panel, so that a part
/// that is drawn again looks the same.
public enum Dither {
  /// Thresholds 0…63; the low bits of y select the row.
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
  ///   - output: At least as long as `pixels`.
  @_lifetime(output: copy output)
  // When LLVM optimises for size on 32-bit ARM, it computes the lanes one after the other, which
  // takes half as many instructions again.
  #if arch(arm)
    @_optimize(speed)
  #endif
  public static func rgb565(
    _ pixels: Span<UInt32>, x: Int, y: Int, to output: inout MutableSpan<UInt16>
  ) {
    precondition(pixels.count <= output.count)
    var thresholds = SIMD8<UInt16>()
    for lane in 0..<8 {
      thresholds[lane] = UInt16(matrix[(y & 7) &* 8 &+ ((x &+ lane) & 7)])
    }
    let count = pixels.count
    unsafe pixels.withUnsafeBytes { pixels in
      unsafe output.withUnsafeMutableBytes { output in
        var index = 0
        while index &+ 8 <= count {
          let group = unsafe pixels.loadUnaligned(
            fromByteOffset: index &* 4, as: SIMD8<UInt32>.self)
          unsafe output.storeBytes(
            of: rgb565(group, thresholds), toByteOffset: index &* 2, as: SIMD8<UInt16>.self)
          index &+= 8
        }
        var rest = SIMD8<UInt32>()
        for lane in 0..<count &- index {
          rest[lane] = unsafe pixels.loadUnaligned(
            fromByteOffset: (index &+ lane) &* 4, as: UInt32.self)
        }
        let last = rgb565(rest, thresholds)
        for lane in 0..<count &- index {
          unsafe output.storeBytes(
            of: last[lane], toByteOffset: (index &+ lane) &* 2, as: UInt16.self)
        }
      }
    }
  }

  /// Converts eight pixels.
  ///
  /// Computes v·31 and v·63 over 255, adds a threshold of 0…63/64 and rounds down.
  /// Black and white are preserved.
  @inline(__always)
  private static func rgb565(
    _ pixels: SIMD8<UInt32>, _ thresholds: SIMD8<UInt16>
  ) -> SIMD8<UInt16> {
    let halves = unsafe unsafeBitCast(pixels, to: SIMD16<UInt16>.self)
    let greenBlue = halves.evenHalf
    let add = thresholds &<< 2
    let red = divided((halves.oddHalf & 255) &* 31 &+ add)
    let green = divided((greenBlue &>> 8) &* 63 &+ add)
    let blue = divided((greenBlue & 255) &* 31 &+ add)
    return red &<< 11 | green &<< 5 | blue
  }

  /// Divides by 255, rounding down, for x below 65 280.
  @inline(__always)
  private static func divided(_ x: SIMD8<UInt16>) -> SIMD8<UInt16> { (x &+ 1 &+ x &>> 8) &>> 8 }
}
