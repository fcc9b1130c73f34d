extension StepBuffer {
  /// A place with its row in units, to the nearest, so that the heights of edges add up exactly.
  @inline(__always)
  static func units(_ place: SIMD2<Float>) -> SIMD2<Float> {
    (place + SIMD2(0, rowBase)) - SIMD2(0, rowBase)
  }

  @inline(never)
  mutating func line(_ p0: SIMD2<Float>, _ p1: SIMD2<Float>, in cells: inout CellBuffer) {
    let way = p1 - p0
    let steps = Int(reach(way)) &+ 1
    guard steps <= StepBuffer.capacity &+ 1 &- count else {
      return add(
        .zero, SIMD4(lowHalf: p0 - p1, highHalf: p1), steps: steps, in: &cells)
    }
    let step = way * share(of: steps).first
    var column = SIMD4<Float>(1, 2, 3, 4) * step.x + p0.x
    var row = SIMD4<Float>(1, 2, 3, 4) * step.y + p0.y
    let four = step * 4
    let placeX = unsafe UnsafeMutableRawPointer(x + count)
    let placeY = unsafe UnsafeMutableRawPointer(y + count)
    var at = 0
    while at < steps &* 4 {
      unsafe placeX.storeBytes(of: column, toByteOffset: at, as: SIMD4<Float>.self)
      unsafe placeY.storeBytes(
        of: row + StepBuffer.rowBase, toByteOffset: at, as: SIMD4<Float>.self)
      column += four.x
      row += four.y
      at &+= 16
    }
    end(at: p1, after: steps)
  }

  @inline(__always)
  mutating func quad(
    _ p0: SIMD2<Float>, _ p1: SIMD2<Float>, _ p2: SIMD2<Float>, in cells: inout CellBuffer
  ) {
    let u = p1 - p2
    let v = p0 - p1
    let b = v - u
    let speed = larger(magnitude(u), magnitude(v))
    let steps = StepBuffer.steps(2 * largest(speed), bend: 2 * reach(b))
    add(
      SIMD4(lowHalf: .zero, highHalf: b), SIMD4(lowHalf: u + u, highHalf: p2), steps: steps,
      in: &cells)
  }

  @inline(__always)
  mutating func cubic(
    _ p0: SIMD2<Float>, _ p1: SIMD2<Float>, _ p2: SIMD2<Float>, _ p3: SIMD2<Float>,
    in cells: inout CellBuffer
  ) {
    let u = p2 - p3
    let v = p1 - p2
    let w = p0 - p1
    let b = v - u
    let a = (w - v) - b
    let speed = larger(magnitude(u), larger(magnitude(v), magnitude(w)))
    let bend = larger(magnitude(b), magnitude(a + b))
    let steps = StepBuffer.steps(3 * largest(speed), bend: 6 * largest(bend))
    add(
      SIMD4(lowHalf: a, highHalf: 3 * b), SIMD4(lowHalf: 3 * u, highHalf: p3), steps: steps,
      in: &cells)
  }

  /// The way in pixels along the axis that goes further.
  @inline(__always)
  private func reach(_ way: SIMD2<Float>) -> Float { largest(magnitude(way)) }

  @inline(__always)
  private func magnitude(_ way: SIMD2<Float>) -> SIMD2<Float> {
    unsafe unsafeBitCast(
      unsafeBitCast(way, to: SIMD2<UInt32>.self) & 0x7FFF_FFFF, to: SIMD2<Float>.self)
  }

  /// `max` orders what is no number as well, which takes four instructions.
  @inline(__always)
  private func larger(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
    b.replacing(with: a, where: a .> b)
  }

  @inline(__always)
  private func largest(_ pair: SIMD2<Float>) -> Float { pair.x > pair.y ? pair.x : pair.y }

  /// Enough steps for a curve that is nowhere faster than `speed` and whose second derivative is
  /// nowhere greater than `bend`, so that a chord's sagitta is 1/64 pixel at most.
  @inline(__always)
  private static func steps(_ speed: Float, bend: Float) -> Int {
    let square = 8 * bend
    // Most curves need no root, and what follows would wait for it.
    if speed * speed > square { return Int(speed) &+ 1 }
    return Int(max(speed, square.squareRoot())) &+ 1
  }
}
