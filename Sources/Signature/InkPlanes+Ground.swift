internal import Raster

extension InkPlanes {
  /// Lays a picture of this density under the strokes that come; returns what changed.
  ///
  /// - Parameter offset: Pixels by which the ink's origin lies right of and below the planes'.
  mutating func lay(_ ground: InkPicture, offset: SIMD2<Float>) -> PixelRect {
    let (x, y) = (PixelRect.wholePixels(offset.x), PixelRect.wholePixels(offset.y))
    let rect = ground.rect
    return lay(
      ground.coverage.span, in: PixelRect(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y))
  }
}

extension PixelRect {
  /// To the nearest pixel, within 2²⁹: no raster lies farther away, and sums with other places and sizes fit into
  /// an Int32. What is no number is 0.
  static func wholePixels(_ distance: Float) -> Int32 {
    guard distance.isFinite else { return 0 }
    return Int32(min(max(distance.rounded(), -0x1p29), 0x1p29))
  }
}
