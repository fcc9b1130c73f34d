internal import Raster

extension InkPlanes {
  /// The smallest rectangle around all pixels that have ink: `bounds` may be larger, as it has the
  /// control points of curves in it.
  func inkedRect() -> PixelRect {
    let bounds = self.bounds.intersection(PixelRect(width: width, height: height))
    let columns = Int(bounds.x0)..<Int(bounds.x1)
    // A row at a time: a copy of all coverage may be 64 MB.
    var ink = [UInt8](repeating: 0, count: bounds.width)
    var rect = PixelRect.empty
    for y in bounds.y0..<bounds.y1 {
      var row = ink.mutableSpan
      writeCoverage(ofRow: Int(y), columns: columns, to: &row)
      guard let first = ink.firstIndex(where: { $0 > 0 }),
        let last = ink.lastIndex(where: { $0 > 0 })
      else { continue }
      rect = rect.union(
        PixelRect(bounds.x0 + Int32(first), y, bounds.x0 + Int32(last) + 1, y + 1))
    }
    return rect
  }
}
