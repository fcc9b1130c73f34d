import Ink

/// The edges of an outline, gathered per pixel in its bounding box.
///
/// For each pixel that an edge passes, `cover` is the edge's height within the pixel (downwards
/// positive) and `area` the part of it left of the edge, so that the pixel's winding-weighted area is
/// the sum of `cover` up to and with this column, minus `area`.
@safe struct EdgeBuffer {
  let cells: UnsafeMutablePointer<SIMD2<Float>>
  let columns: Int32
  let rows: Int32
  /// Edges at and beyond this column have no effect.
  let right: Int32

  /// An edge, in pixels of the buffer; clipped to it.
  mutating func line(_ from: SIMD2<Float>, _ to: SIMD2<Float>) {
    guard from.y != to.y else { return }
    let down = from.y < to.y
    let sign: Float = down ? 1 : -1
    var a = down ? from : to
    var b = down ? to : from
    let bottom = Float(rows)
    guard b.y > 0, a.y < bottom else { return }
    // In Double: the ends may lie anywhere.
    let slope = (Double(b.x) - Double(a.x)) / (Double(b.y) - Double(a.y))
    if b.y > bottom {
      b = SIMD2(Float(Double(a.x) + (Double(bottom) - Double(a.y)) * slope), bottom)
    }
    if a.y < 0 { a = SIMD2(Float(Double(a.x) - Double(a.y) * slope), 0) }
    guard a.y < b.y else { return }
    clipLeft(a, b, Float(slope), sign)
  }

  /// The part left of the buffer acts like an edge along its left border.
  private mutating func clipLeft(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ slope: Float, _ sign: Float
  ) {
    if a.x >= 0, b.x >= 0 { return clipRight(a, b, slope, sign) }
    if a.x <= 0, b.x <= 0 {
      return rows(SIMD2(0, a.y), SIMD2(0, b.y), 0, sign)
    }
    let y = min(max(a.y - a.x / slope, a.y), b.y)
    if a.x < 0 {
      rows(SIMD2(0, a.y), SIMD2(0, y), 0, sign)
      clipRight(SIMD2(0, y), b, slope, sign)
    } else {
      clipRight(a, SIMD2(0, y), slope, sign)
      rows(SIMD2(0, y), SIMD2(0, b.y), 0, sign)
    }
  }

  /// The part right of the buffer has no effect.
  private mutating func clipRight(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ slope: Float, _ sign: Float
  ) {
    let edge = Float(right)
    if a.x <= edge, b.x <= edge { return rows(a, b, slope, sign) }
    if a.x >= edge, b.x >= edge { return }
    let y = min(max(a.y + (edge - a.x) / slope, a.y), b.y)
    if a.x > edge {
      rows(SIMD2(edge, y), b, slope, sign)
    } else {
      rows(a, SIMD2(edge, y), slope, sign)
    }
  }

  /// An edge inside the buffer, downwards, row by row.
  private mutating func rows(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ slope: Float, _ sign: Float
  ) {
    var y = Int32(a.y)
    var here = a
    while y < rows, here.y < b.y {
      let end = Float(y &+ 1)
      let next = end < b.y ? SIMD2(a.x + (end - a.y) * slope, end) : b
      row(y, here.x, min(max(next.x, 0), Float(right)), (next.y - here.y) * sign)
      here = next
      y &+= 1
    }
  }

  /// One row's piece of an edge, from column `a` to column `b`.
  private mutating func row(_ y: Int32, _ a: Float, _ b: Float, _ height: Float) {
    let low = min(a, b)
    let high = max(a, b)
    var column = Int32(low)
    let last = Int32(high)
    if column == last {
      add(y, column, height, (low + high) * 0.5 - Float(column))
      return
    }
    let perColumn = height / (high - low)
    var x = low
    while column <= last {
      let end = min(Float(column &+ 1), high)
      add(y, column, (end - x) * perColumn, (x + end) * 0.5 - Float(column))
      x = end
      column &+= 1
    }
  }

  @inline(__always)
  private mutating func add(_ y: Int32, _ x: Int32, _ cover: Float, _ position: Float) {
    guard x < right else { return }
    unsafe cells[Int(y &* columns &+ x)] += SIMD2(cover, cover * position)
  }

  /// Sums along the rows, hands the coverage on and leaves the buffer empty.
  @inline(__always)
  mutating func resolve(
    left: Int32, top: Int32, _ body: (Int32, Int32, SIMD16<UInt8>) -> Void
  ) {
    var y: Int32 = 0
    while y < rows {
      var sum: Float = 0
      var x: Int32 = 0
      while x < columns {
        var coverage = SIMD16<UInt8>.zero
        for lane in 0..<16 {
          let cell = unsafe cells + Int(y &* columns &+ x &+ Int32(lane))
          sum += unsafe cell.pointee.x
          let area = min(abs(unsafe sum - cell.pointee.y), 1)
          unsafe cell.pointee = .zero
          if x &+ Int32(lane) < right { coverage[lane] = UInt8(area * 255 + 0.5) }
        }
        if coverage != .zero { body(left &+ x, top &+ y, coverage) }
        x &+= 16
      }
      y &+= 1
    }
  }
}
