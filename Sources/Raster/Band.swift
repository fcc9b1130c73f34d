/// A part of the raster that an outline is clipped to because it is larger than the cells there are.
///
/// What is left of it acts along its left border, what is right of it has no effect, and what is above
/// or below it is cut off.
struct Band {
  /// Its first pixel.
  let origin: SIMD2<Int32>
  /// Column of the left border, counted from `origin`.
  let left: Float = 1
  /// Column of the right border.
  let right: Float
  /// How many rows it has.
  let rows: Int

  /// The parts of an edge that have an effect, from its start to its end.
  ///
  /// - Parameters:
  ///   - from: In pixels from `origin`, anywhere.
  ///   - to: The same.
  func clip(
    _ from: SIMD2<Float>, _ to: SIMD2<Float>, _ body: (SIMD2<Float>, SIMD2<Float>) -> Void
  ) {
    let bottom = Float(rows)
    guard from.y != to.y, max(from.y, to.y) > 0, min(from.y, to.y) < bottom else { return }
    // In Double: the ends may lie far away.
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
    part(a, first, body)
    part(first, second, body)
    part(second, b, body)
  }

  /// A part that lies on one side of each border.
  private func part(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ body: (SIMD2<Float>, SIMD2<Float>) -> Void
  ) {
    guard a.y != b.y, a.x + b.x < 2 * right else { return }
    func inside(_ point: SIMD2<Float>) -> SIMD2<Float> {
      SIMD2(min(max(point.x, left), right), point.y)
    }
    body(inside(a), inside(b))
  }

  /// Where an edge crosses a column, or the end that is nearer to it.
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
