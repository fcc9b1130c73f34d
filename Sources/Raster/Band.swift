import Ink

/// A part of the raster that an outline is clipped to.
///
/// Used for an outline that needs more cells than there are. Edges on the left of the band act
/// along its left border, edges on the right have no effect, and those above and below are cut off.
/// Strokes do not use bands, so this code is not optimised for speed.
struct Band {
  /// The largest distance of a curve from its chords, in pixels.
  private static var tolerance: Float { 0.006 }
  /// The most chords of one curve, enough for a circle of 10 000 pixels.
  private static var maximumChords: Float { 1024 }
  /// The most columns of a band, which leave cells for enough rows.
  private static var maximumColumns: Int32 { 16_384 }

  /// The band's first pixel.
  let origin: SIMD2<Int32>
  /// The column of the left border, relative to `origin`.
  let left: Float = 1
  /// The column of the right border.
  let right: Float
  /// The number of rows.
  let rows: Int

  init(origin: SIMD2<Int32>, right: Float, rows: Int) {
    self.origin = origin
    self.right = right
    self.rows = rows
  }

  /// Fills an outline band by band; see `Rasteriser.fill`.
  static func fill<Sink: CoverageSink>(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float>, _ rect: PixelRect,
    with flattener: inout EdgeFlattener, _ cells: inout CellBuffer, into sink: Sink
  ) -> PixelRect {
    var inked = PixelRect.empty
    var left = rect.x0
    while left < rect.x1 {
      // A group of sixteen columns is passed on at once, so that it must lie in one strip.
      let right = min((left & ~15) &+ Band.maximumColumns, rect.x1)
      inked = inked.union(
        fillStrip(
          outline, scale: scale, offset: offset, PixelRect(left, rect.y0, right, rect.y1),
          with: &flattener, &cells, into: sink))
      left = right
    }
    return inked
  }

  /// Fills the bands of some columns.
  private static func fillStrip<Sink: CoverageSink>(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float>, _ rect: PixelRect,
    with flattener: inout EdgeFlattener, _ cells: inout CellBuffer, into sink: Sink
  ) -> PixelRect {
    let left = (rect.x0 &- 1) & ~15
    // Points on the left border may count to the column before it. Rows end in a free group instead, as
    // they do not start with a free column.
    let columns = (Int(rect.x1 &- left) &+ 1 &+ 16 &+ 63) & ~63
    let rows = min(CellBuffer.capacity / columns - 1, CellBuffer.maximumRows)
    var inked = PixelRect.empty
    var top = rect.y0
    while top < rect.y1 {
      let height = min(rows, Int(rect.y1 &- top))
      guard cells.reshape(columns: columns, rows: height) else { break }
      let band = Band(origin: SIMD2(left, top), right: Float(rect.x1 &- left), rows: height)
      band.add(outline, scale: scale, offset: offset) { a, b in
        let start = EdgeFlattener.units(a)
        flattener.start(start)
        flattener.line(start, EdgeFlattener.units(b), in: &cells)
        flattener.flush(into: &cells)
      }
      // The sums of each row reach the right border.
      for row in 0..<height { cells.mark(column: Int(band.right) - 1, row: row) }
      inked = inked.union(cells.resolve(into: sink, left: Int(left), top: Int(top), clip: rect))
      top &+= Int32(height)
    }
    return inked
  }

  /// Calls `body` with the clipped chords of all edges.
  private func add(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float>,
    _ body: (SIMD2<Float>, SIMD2<Float>) -> Void
  ) {
    let points = outline.points
    let factor = SIMD2(scale.x, scale.y)
    let origin = SIMD2(Float(self.origin.x), Float(self.origin.y))
    func pixel(_ index: Int) -> SIMD2<Float> { (points[index] * factor + offset) - origin }
    var start = SIMD2<Float>.zero
    var last = start
    outline.forEachVerb { verb, first in
      switch verb {
      case .move:
        if first > 0 { clip(last, start, body) }
        start = pixel(first)
        last = start
      case .line:
        let end = pixel(first)
        clip(last, end, body)
        last = end
      case .quad:
        let (control, end) = (pixel(first), pixel(first + 1))
        // The same curve as a cubic.
        flatten(last, last + (control - last) * (2 / 3), end + (control - end) * (2 / 3), end, body)
        last = end
      case .cubic:
        let end = pixel(first + 2)
        flatten(last, pixel(first), pixel(first + 1), end, body)
        last = end
      }
    }
    if !outline.isEmpty { clip(last, start, body) }
  }

  /// Divides a cubic into n chords.
  ///
  /// They stay within the tolerance for n² ≥ |p″|/(8·tolerance) (Sederberg, *Computer Aided Geometric
  /// Design*, ch. 10.6).
  private func flatten(
    _ p0: SIMD2<Float>, _ p1: SIMD2<Float>, _ p2: SIMD2<Float>, _ p3: SIMD2<Float>,
    _ body: (SIMD2<Float>, SIMD2<Float>) -> Void
  ) {
    let u = p0 - 2 * p1 + p2
    let v = p1 - 2 * p2 + p3
    let bend = 6 * max(u.length, v.length)
    let n = min((bend / (8 * Band.tolerance)).squareRoot(), Band.maximumChords)
    let c = 3 * (p1 - p0)
    let b = 3 * u
    let a = v - u
    var last = p0
    var i: Float = 1
    while i < n {
      let t = i / n
      let point = ((a * t + b) * t + c) * t + p0
      clip(last, point, body)
      last = point
      i += 1
    }
    clip(last, p3, body)
  }

  /// Calls `body` with the parts of an edge that have an effect, in order.
  ///
  /// - Parameters:
  ///   - from: The start, in pixels relative to `origin`; may lie outside the band.
  ///   - to: The end, likewise.
  func clip(
    _ from: SIMD2<Float>, _ to: SIMD2<Float>, _ body: (SIMD2<Float>, SIMD2<Float>) -> Void
  ) {
    let bottom = Float(rows)
    guard from.y != to.y, max(from.y, to.y) > 0, min(from.y, to.y) < bottom else { return }
    // In Double: the ends may be far away.
    let slope = (Double(to.x) - Double(from.x)) / (Double(to.y) - Double(from.y))
    func cut(_ point: SIMD2<Float>) -> SIMD2<Float> {
      let y = min(max(point.y, 0), bottom)
      guard y != point.y else { return point }
      return SIMD2(Float(Double(from.x) + (Double(y) - Double(from.y)) * slope), y)
    }
    let a = cut(from)
    let b = cut(to)
    let atLeft = Band.crossing(a, b, column: left, slope)
    let atRight = Band.crossing(a, b, column: right, slope)
    let (first, second) = a.x < b.x ? (atLeft, atRight) : (atRight, atLeft)
    addPart(a, first, body)
    addPart(first, second, body)
    addPart(second, b, body)
  }

  /// Moves a part that crosses no border into the band.
  private func addPart(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ body: (SIMD2<Float>, SIMD2<Float>) -> Void
  ) {
    guard a.y != b.y, a.x + b.x < 2 * right else { return }
    func inside(_ point: SIMD2<Float>) -> SIMD2<Float> {
      SIMD2(min(max(point.x, left), right), point.y)
    }
    body(inside(a), inside(b))
  }

  /// The point where an edge crosses a column, or its nearer end.
  private static func crossing(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, column: Float, _ slope: Double
  ) -> SIMD2<Float> {
    guard (a.x < column) != (b.x < column) else {
      return abs(a.x - column) < abs(b.x - column) ? a : b
    }
    let y = Float(Double(a.y) + (Double(column) - Double(a.x)) / slope)
    return SIMD2(column, min(max(y, min(a.y, b.y)), max(a.y, b.y)))
  }
}
