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
    guard let bounds = corners.take(outline.points, scale: scale, offset: offset)
    else { return .empty }
    let rect = bounds.intersection(clip)
    guard !rect.isEmpty else { return .empty }
    sink.prepare(for: rect)
    let left = Int(bounds.x0 &- 1) & ~15
    let columns = (Int(bounds.x1) &- left &+ 1 &+ 63) & ~63
    let rows = Int(bounds.y1 &- bounds.y0)
    guard corners.isWhole, cells.reshape(columns: columns, rows: rows) else {
      return fillInBands(outline, scale: scale, offset: offset, rect, into: sink)
    }
    add(outline.verbs, origin: SIMD2(Float(left), Float(bounds.y0)))
    return cells.resolve(into: sink, left: left, top: Int(bounds.y0), clip: rect)
  }
}
