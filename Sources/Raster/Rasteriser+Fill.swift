import Ink

extension Rasteriser {
  /// Fills one outline.
  ///
  /// - Parameters:
  ///   - sink: Takes the coverage, also of some pixels right of `clip`.
  ///   - clip: From column 0.
  /// - Returns: The rectangle within `clip` outside which there is no coverage.
  @inline(__always)
  mutating func fill<Sink: CoverageSink>(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float>, clip: PixelRect,
    into sink: Sink
  ) -> PixelRect {
    guard let bounds = Rasteriser.bounds(of: outline.points, scale: scale, offset: offset)
    else { return .empty }
    let rect = bounds.intersection(clip)
    guard !rect.isEmpty else { return .empty }
    let left = Int(bounds.x0 &- 1) & ~7
    let columns = (Int(bounds.x1) &- left &+ 1 &+ 63) & ~63
    let rows = Int(bounds.y1 &- bounds.y0)
    guard cells.reshape(columns: columns, rows: rows) else {
      return fillInBands(outline, scale: scale, offset: offset, rect, into: sink)
    }
    add(
      outline, scale: scale, offset: offset, origin: SIMD2(Float(left), Float(bounds.y0)))
    return cells.resolve(into: sink, left: left, top: Int(bounds.y0), clip: rect)
  }

  /// The pixels that the control points reach; nil if there are none, or if a point is no number or
  /// beyond 2²⁴ pixels, where neighbours cannot be told apart.
  @inline(__always)
  static func bounds(of points: Span<Point>, scale: Scale, offset: SIMD2<Float>) -> PixelRect? {
    guard points.count > 0 else { return nil }
    let factor = SIMD2(scale.x, scale.y)
    var low = points[0] * factor + offset
    var high = low
    // No number as soon as a coordinate is none or infinite.
    var check = SIMD2<Float>.zero
    for index in points.indices {
      let point = points[index] * factor + offset
      low = low.replacing(with: point, where: point .< low)
      high = high.replacing(with: point, where: point .> high)
      check += point - point
    }
    let limit: Float = 0x1p24
    guard check == .zero, low.x > -limit, low.y > -limit, high.x < limit, high.y < limit
    else { return nil }
    return PixelRect(
      floor(low.x), floor(low.y), floor(high.x) &+ 1, floor(high.y) &+ 1)
  }

  /// Without the call into the C library that `rounded(.down)` is where SSE 4.1 may not be used.
  @inline(__always)
  private static func floor(_ value: Float) -> Int32 {
    let towardsZero = Int32(value)
    return Float(towardsZero) > value ? towardsZero &- 1 : towardsZero
  }
}
