internal import Raster

extension InkPlanes {
  /// The smallest rectangle around all pixels that have ink: `bounds` may be larger, as it has the
  /// control points of curves in it.
  func inkedRect() -> PixelRect {
    let bounds = self.bounds.intersection(PixelRect(width: width, height: height))
    let ink = coverage(of: bounds)
    var rect = PixelRect.empty
    for row in 0..<bounds.height {
      let columns = ink[row * bounds.width..<(row + 1) * bounds.width]
      guard let first = columns.firstIndex(where: { $0 > 0 }),
        let last = columns.lastIndex(where: { $0 > 0 })
      else { continue }
      let (x, y) = (bounds.x0 - Int32(columns.startIndex), bounds.y0 + Int32(row))
      rect = rect.union(PixelRect(x + Int32(first), y, x + Int32(last) + 1, y + 1))
    }
    return rect
  }
}
