public import Ink

/// Turns closed outlines into exact-area coverage, one outline at a time.
///
/// For every edge the signed area between the edge and the right border of each pixel that it passes
/// is gathered in a buffer as large as the outline's bounding box; a running sum along the row is then
/// the winding-weighted area of the outline in each pixel (the scheme of LibArt and FreeType's
/// "smooth" module). Absolute and limited to 1, it is the coverage. All memory is allocated once; an
/// outline that is larger than the buffer is filled in bands.
@safe public struct Rasteriser: ~Copyable {
  /// Pixels for which there is room at once.
  static let capacity = 1 << 16
  /// Columns at which coverage is handed on together.
  static let lanes: Int32 = 16

  /// Cover (x) and area (y) of each pixel, see `EdgeBuffer`; all zero between fills.
  let cells: UnsafeMutablePointer<SIMD2<Float>>

  /// Allocates the buffer: half a megabyte, touched as far as the largest outline needs.
  public init() {
    unsafe cells = .allocate(capacity: Rasteriser.capacity)
    unsafe cells.initialize(repeating: .zero, count: Rasteriser.capacity)
  }

  deinit { unsafe cells.deallocate() }

  /// Adds the coverage of an outline (millimetres) to a mask, with saturation.
  ///
  /// - Parameters:
  ///   - outline: Closed contours, filled where the winding number is not zero.
  ///   - scale: Pixels per millimetre.
  ///   - offset: Pixels by which the ink's origin lies right of and below the mask's.
  /// - Returns: The rectangle outside which nothing changed.
  public mutating func add(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float> = .zero, to mask: inout Coverage
  ) -> PixelRect {
    let clip = PixelRect(width: mask.width, height: mask.height)
    let pixels = unsafe mask.pixels
    let stride = mask.stride
    return fill(outline, scale: scale, offset: offset, clip: clip) { x, y, coverage in
      let place = unsafe UnsafeMutableRawPointer(pixels + (Int(y) &* stride &+ Int(x)))
      let before = unsafe place.loadUnaligned(as: SIMD16<UInt8>.self)
      unsafe place.storeBytes(of: before.addingSaturated(coverage), as: SIMD16<UInt8>.self)
    }
  }
}
