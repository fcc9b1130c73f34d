extension InkPlanes {
  /// Lays a picture of ink over all that is there, as a stroke of its own; returns the rectangle that
  /// changed. A stroke that was being drawn is over.
  ///
  /// - Parameters:
  ///   - coverage: Row by row without gaps: 0 is nothing, 255 is ink.
  ///   - rect: Where it lies; what overhangs the pad is left out.
  public mutating func lay(_ coverage: Span<UInt8>, in rect: PixelRect) -> PixelRect {
    precondition(coverage.count == rect.area)
    let ended = endStroke()
    let inside = rect.intersection(PixelRect(width: width, height: height))
    guard !inside.isEmpty else { return ended }
    let sink = InkTiles.Sink(.stroke, of: tiles.lent, number: stroke)
    sink.prepare(for: inside)
    for y in Int(inside.y0)..<Int(inside.y1) {
      let row = (y - Int(rect.y0)) * rect.width - Int(rect.x0)
      let line = sink.row(y)
      // Sixteen pixels at a time, from where a tile begins.
      var x = Int(inside.x0) & ~15
      while x < Int(inside.x1) {
        var group = SIMD16<UInt8>.zero
        for column in max(x, Int(inside.x0))..<min(x + 16, Int(inside.x1)) {
          group[column - x] = coverage[row + column]
        }
        line.add(group, x)
        x += 16
      }
    }
    settledBounds = settledBounds.union(inside)
    return ended.union(inside).union(endStroke())
  }
}
