import Ink

extension Rasteriser {
  /// Fills one outline and hands its coverage on, sixteen pixels at a time.
  ///
  /// - Parameter body: Is given column (a multiple of 16), row and coverage; the lanes beyond `clip`
  ///   are zero.
  /// - Returns: The rectangle around the outline within `clip`.
  @inline(__always)
  mutating func fill(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float>, clip: PixelRect,
    _ body: (Int32, Int32, SIMD16<UInt8>) -> Void
  ) -> PixelRect {
    let points = outline.points
    guard let rect = Rasteriser.bounds(of: points, scale: scale, offset: offset, clip: clip)
    else { return .empty }
    let left = rect.x0 & ~(Rasteriser.lanes - 1)
    let columns = (rect.x1 &- left &+ Rasteriser.lanes &- 1) & ~(Rasteriser.lanes - 1)
    let rows = min(Int32(rect.height), Int32(Rasteriser.capacity) / columns)
    guard rows > 0 else { return .empty }
    var top = rect.y0
    while top < rect.y1 {
      let height = min(rows, rect.y1 &- top)
      var edges = unsafe EdgeBuffer(
        cells: cells, columns: columns, rows: height, right: rect.x1 &- left)
      edges.add(outline, scale: scale, offset: offset, origin: SIMD2(Float(left), Float(top)))
      edges.resolve(left: left, top: top, body)
      top &+= height
    }
    return rect
  }

  /// The pixels that the control points reach within `clip`; nil if none, or if one is no number.
  @inline(__always)
  static func bounds(
    of points: Span<Point>, scale: Scale, offset: SIMD2<Float>, clip: PixelRect
  ) -> PixelRect? {
    guard points.count > 0 else { return nil }
    let factor = SIMD2(scale.x, scale.y)
    var low = points[0] * factor + offset
    var high = low
    // Any infinity or NaN among the coordinates makes this NaN.
    var check = SIMD2<Float>.zero
    for index in points.indices {
      let point = points[index] * factor + offset
      low = point.replacing(with: low, where: low .< point)
      high = point.replacing(with: high, where: high .> point)
      check += point * 0
    }
    guard check.x == 0, check.y == 0 else { return nil }
    // Clamped before the conversion, which traps beyond Int32.
    let x0 = Int32(max(low.x, Float(clip.x0)).rounded(.down))
    let y0 = Int32(max(low.y, Float(clip.y0)).rounded(.down))
    let x1 = Int32(min(high.x, Float(clip.x1)).rounded(.down)) &+ 1
    let y1 = Int32(min(high.y, Float(clip.y1)).rounded(.down)) &+ 1
    let rect = PixelRect(x0, y0, x1, y1).intersection(clip)
    return rect.isEmpty ? nil : rect
  }
}
