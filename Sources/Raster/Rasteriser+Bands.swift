import Ink

// Strokes do not come here: nothing is fast.
extension Rasteriser {
  /// Curves deviate from their chords by this many pixels at most.
  private static var tolerance: Float { 0.006 }
  /// The most chords of one curve; a circle of 10 000 pixels needs as many.
  private static var maximumChords: Float { 1024 }

  /// Columns of a band at most, so that there are cells for more than a few rows of it.
  private static var maximumColumns: Int32 { 16_384 }

  /// Fills an outline for which there are not cells enough: band by band, edges clipped to each.
  @inline(never)
  mutating func fillInBands<Sink: CoverageSink>(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float>, _ rect: PixelRect,
    into sink: Sink
  ) -> PixelRect {
    var inked = PixelRect.empty
    var left = rect.x0
    while left < rect.x1 {
      // Sixteen columns are handed on together: they lie in one strip.
      let right = min((left & ~15) &+ Rasteriser.maximumColumns, rect.x1)
      inked = inked.union(
        fillStrip(
          outline, scale: scale, offset: offset, PixelRect(left, rect.y0, right, rect.y1),
          into: sink))
      left = right
    }
    return inked
  }

  /// The bands of some columns.
  private mutating func fillStrip<Sink: CoverageSink>(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float>, _ rect: PixelRect,
    into sink: Sink
  ) -> PixelRect {
    let left = (rect.x0 &- 1) & ~15
    // The left border may count to the column before it. Rows end in a free group, as they do not begin
    // with a free column.
    let columns = (Int(rect.x1 &- left) &+ 1 &+ 16 &+ 63) & ~63
    let rows = min(CellBuffer.capacity / columns - 1, CellBuffer.maximumRows)
    var inked = PixelRect.empty
    var top = rect.y0
    while top < rect.y1 {
      let height = min(rows, Int(rect.y1 &- top))
      guard cells.reshape(columns: columns, rows: height) else { break }
      let band = Band(origin: SIMD2(left, top), right: Float(rect.x1 &- left), rows: height)
      add(outline, scale: scale, offset: offset, in: band)
      // Every row is summed up to the right border.
      for row in 0..<height { cells.mark(column: Int(band.right) - 1, row: row) }
      inked = inked.union(cells.resolve(into: sink, left: Int(left), top: Int(top), clip: rect))
      top &+= Int32(height)
    }
    return inked
  }

  /// All edges of an outline.
  private mutating func add(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float>, in band: Band
  ) {
    let verbs = outline.verbs
    let points = outline.points
    let factor = SIMD2(scale.x, scale.y)
    let origin = SIMD2(Float(band.origin.x), Float(band.origin.y))
    func pixel(_ index: Int) -> SIMD2<Float> { (points[index] * factor + offset) - origin }
    var start = SIMD2<Float>.zero
    var last = start
    var next = 0
    for index in verbs.indices {
      switch verbs[index] {
      case .move:
        if next > 0 { line(last, start, band) }
        start = pixel(next)
        last = start
        next += 1
      case .line:
        line(last, pixel(next), band)
        last = pixel(next)
        next += 1
      case .quad:
        let (from, control, to) = (last, pixel(next), pixel(next + 1))
        // The same curve of degree three.
        curve(from, from + (control - from) * (2 / 3), to + (control - to) * (2 / 3), to, band)
        last = to
        next += 2
      case .cubic:
        curve(last, pixel(next), pixel(next + 1), pixel(next + 2), band)
        last = pixel(next + 2)
        next += 3
      }
    }
    if next > 0 { line(last, start, band) }
  }

  /// A cubic by n chords; n² ≥ |p″|/(8·tolerance) stay within the tolerance (Sederberg, *Computer
  /// Aided Geometric Design*, ch. 10.6).
  private mutating func curve(
    _ p0: SIMD2<Float>, _ p1: SIMD2<Float>, _ p2: SIMD2<Float>, _ p3: SIMD2<Float>, _ band: Band
  ) {
    let u = p0 - 2 * p1 + p2
    let v = p1 - 2 * p2 + p3
    let bend = 6 * max(u.length, v.length)
    let n = min((bend / (8 * Rasteriser.tolerance)).squareRoot(), Rasteriser.maximumChords)
    let c = 3 * (p1 - p0)
    let b = 3 * u
    let a = v - u
    var last = p0
    var i: Float = 1
    while i < n {
      let t = i / n
      let point = ((a * t + b) * t + c) * t + p0
      line(last, point, band)
      last = point
      i += 1
    }
    line(last, p3, band)
  }

  private mutating func line(_ from: SIMD2<Float>, _ to: SIMD2<Float>, _ band: Band) {
    band.clip(from, to) { a, b in
      let start = StepBuffer.units(a)
      steps.start(start)
      steps.line(start, StepBuffer.units(b), in: &cells)
      steps.flush(into: &cells)
    }
  }
}
