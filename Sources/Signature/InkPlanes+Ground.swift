internal import Raster

extension InkPlanes {
  /// Lays a picture of this density under the strokes that come; returns what changed.
  ///
  /// - Parameter offset: Pixels by which the ink's origin lies right of and below the planes'.
  mutating func lay(_ ground: InkPicture, offset: SIMD2<Float>) -> PixelRect {
    let (x, y) = (Int32(offset.x.rounded()), Int32(offset.y.rounded()))
    let rect = ground.rect
    return lay(
      ground.coverage.span, in: PixelRect(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y))
  }
}
