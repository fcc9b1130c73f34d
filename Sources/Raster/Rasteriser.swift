public import Ink

/// Turns closed outlines into exact-area coverage, one outline at a time.
///
/// For every edge the signed area between the edge and the right border of each pixel that it passes
/// is gathered in a buffer as large as the outline's bounding box; a running sum along the row is then
/// the winding-weighted area of the outline in each pixel (the scheme of LibArt and FreeType's
/// "smooth" module). Absolute and limited to 1, it is the coverage. All memory is allocated once; an
/// outline that is larger than the buffer is filled in bands.
@safe public struct Rasteriser: ~Copyable {
  var corners = CornerBuffer()
  var cells = CellBuffer()
  var steps = StepBuffer()

  /// Reserves a megabyte, which is used as far as the largest outline needs.
  public init() {}

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
    let sink = unsafe Coverage.Sink(pixels: mask.pixels, stride: mask.stride)
    return fill(outline, scale: scale, offset: offset, clip: clip, into: sink)
  }
}
