/// Flattens a contour's edges into steps of at most one pixel per axis.
///
/// Coordinates are pixels of a `CellBuffer`. Such a step crosses at most one column and one row,
/// and lies in at most three pixels: before, between and after both crossings. All steps therefore
/// take the same work, and four are processed at once.
@safe @usableFromInline struct EdgeFlattener: ~Copyable {
  /// The number of steps that fit; longer contours are processed in parts.
  private static let capacity = 1024
  /// The number of precomputed `StepShare`s; nearly all edges have fewer steps.
  private static let precomputed = 64
  /// A row offset that makes `Float` round to units of 1/4096.
  ///
  /// That is its resolution from 2048 to 4096.
  static let rowBase: Float = 3072

  /// Keeps a step shorter than a pixel after its ends are rounded.
  ///
  /// A step of exactly one pixel, from border to border, would lie in a pixel that is neither its
  /// first nor its last.
  private static let margin: Float = 1 + 0x1p-8

  /// For an edge of n steps, 1/n, and the half and the sixth of its square.
  ///
  /// Precomputed for small n: a conversion and two divisions take as long as a dozen steps.
  private struct StepShare: BitwiseCopyable {
    let first, half, sixth: Float

    init(of steps: Int) {
      first = 1 / Float(steps)
      half = first * first / 2
      sixth = first * first / 6
    }
  }

  /// The columns of the points.
  private let x: UnsafeMutablePointer<Float>
  /// The rows of the points in units, raised by `rowBase`.
  private let y: UnsafeMutablePointer<Float>
  private let shares: UnsafeMutablePointer<StepShare>
  /// The number of points: one more than steps.
  private var count = 0
  private let splitter = StepSplitter()

  init() {
    // The last group is written in whole.
    let room = EdgeFlattener.capacity + 8
    unsafe x = .allocate(capacity: room)
    unsafe y = .allocate(capacity: room)
    unsafe shares = .allocate(capacity: EdgeFlattener.precomputed)
    for steps in 0..<EdgeFlattener.precomputed {
      unsafe (shares + steps).initialize(to: StepShare(of: steps))
    }
  }

  @usableFromInline deinit {
    unsafe x.deallocate()
    unsafe y.deallocate()
    unsafe shares.deallocate()
  }

  /// Rounds a row to units, so that the heights of edges add up exactly.
  @inline(__always)
  static func units(_ point: SIMD2<Float>) -> SIMD2<Float> {
    (point + SIMD2(0, rowBase)) - SIMD2(0, rowBase)
  }

  /// Starts a contour.
  @inline(__always)
  mutating func start(_ point: SIMD2<Float>) {
    unsafe x[0] = point.x
    unsafe y[0] = point.y + EdgeFlattener.rowBase
    count = 1
  }

  @inline(never)
  mutating func line(_ p0: SIMD2<Float>, _ p1: SIMD2<Float>, in cells: inout CellBuffer) {
    let displacement = p1 - p0
    let steps = Int(extent(displacement) * EdgeFlattener.margin) &+ 1
    guard steps <= EdgeFlattener.capacity &+ 1 &- count else {
      return add(
        .zero, SIMD4(lowHalf: p0 - p1, highHalf: p1), steps: steps, in: &cells)
    }
    let step = displacement * share(of: steps).first
    var column = SIMD4<Float>(1, 2, 3, 4) * step.x + p0.x
    var row = SIMD4<Float>(1, 2, 3, 4) * step.y + p0.y
    let four = step * 4
    let nextX = unsafe UnsafeMutableRawPointer(x + count)
    let nextY = unsafe UnsafeMutableRawPointer(y + count)
    var at = 0
    while at < steps &* 4 {
      unsafe nextX.storeBytes(of: column, toByteOffset: at, as: SIMD4<Float>.self)
      unsafe nextY.storeBytes(
        of: row + EdgeFlattener.rowBase, toByteOffset: at, as: SIMD4<Float>.self)
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
    let steps = EdgeFlattener.steps(2 * largest(speed), bend: 2 * extent(b))
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
    let steps = EdgeFlattener.steps(3 * largest(speed), bend: 6 * largest(bend))
    add(
      SIMD4(lowHalf: a, highHalf: 3 * b), SIMD4(lowHalf: 3 * u, highHalf: p3), steps: steps,
      in: &cells)
  }

  /// Adds all steps to the cells; the contour continues from its last point.
  @inline(never)
  mutating func flush(into cells: inout CellBuffer) {
    guard count > 1 else { return }
    let lastX = unsafe x[count &- 1]
    let lastY = unsafe y[count &- 1]
    // Steps of zero length complete the last group.
    for index in count..<count &+ 3 {
      unsafe x[index] = lastX
      unsafe y[index] = lastY
    }
    let groups = (count &+ 2) &>> 2
    unsafe splitter.split(x, y, groups: groups, into: cells)
    unsafe x[0] = lastX
    unsafe y[0] = lastY
    count = 1
  }

  /// Adds the edge a·u³ + b·u² + c·u + d, from u = 1 to u = 0.
  ///
  /// A chord lies inside the curve, on average by h²·p″/12, which is 2/3 of its sagitta. All points
  /// but the ends are moved outwards by this distance, which preserves the area.
  ///
  /// - Parameters:
  ///   - ab: a in the low half, b in the high half.
  ///   - cd: c and d.
  @inline(never)
  private mutating func add(
    _ ab: SIMD4<Float>, _ cd: SIMD4<Float>, steps: Int, in cells: inout CellBuffer
  ) {
    if steps <= EdgeFlattener.capacity &+ 1 &- count {
      write(ab, cd, from: 0, to: steps, of: steps)
    } else {
      addInParts(ab, cd, steps: steps, in: &cells)
    }
    end(at: cd.highHalf, after: 0)
  }

  /// Adds an edge in parts, because it does not fit into the rest of the buffer.
  @inline(never)
  private mutating func addInParts(
    _ ab: SIMD4<Float>, _ cd: SIMD4<Float>, steps: Int, in cells: inout CellBuffer
  ) {
    var done = 0
    while done < steps {
      if count > EdgeFlattener.capacity { flush(into: &cells) }
      let part = min(steps &- done, EdgeFlattener.capacity &+ 1 &- count)
      write(ab, cd, from: done, to: done &+ part, of: steps)
      done &+= part
    }
  }

  /// Appends some of an edge's steps, which must fit.
  @inline(__always)
  private mutating func write(
    _ ab: SIMD4<Float>, _ cd: SIMD4<Float>, from first: Int, to last: Int, of steps: Int
  ) {
    let share = share(of: steps)
    let h = share.first
    let raised = cd + SIMD4(0, 0, 0, EdgeFlattener.rowBase)
    let moved = raised - ab * SIMD4(share.half, share.half, share.sixth, share.sixth)
    let nextX = unsafe UnsafeMutableRawPointer(x + count)
    let nextY = unsafe UnsafeMutableRawPointer(y + count)
    var left = SIMD4<Float>(-1, -2, -3, -4) + Float(steps &- first)
    let part = last &- first
    var at = 0
    while at < part {
      let u = left * h
      let square = u * u
      let column = (u * ab.x + ab.z) * square + (u * moved.x + moved.z)
      let row = (u * ab.y + ab.w) * square + (u * moved.y + moved.w)
      unsafe nextX.storeBytes(of: column, toByteOffset: at &* 4, as: SIMD4<Float>.self)
      unsafe nextY.storeBytes(of: row, toByteOffset: at &* 4, as: SIMD4<Float>.self)
      left -= 4
      at &+= 4
    }
    count &+= part
  }

  /// Sets an edge's last point to its exact value.
  @inline(__always)
  private mutating func end(at point: SIMD2<Float>, after steps: Int) {
    count &+= steps
    unsafe x[count &- 1] = point.x
    unsafe y[count &- 1] = point.y + EdgeFlattener.rowBase
  }

  @inline(__always)
  private func share(of steps: Int) -> StepShare {
    unsafe steps < EdgeFlattener.precomputed ? shares[steps] : StepShare(of: steps)
  }

  /// The number of steps that keep a curve's sagittas within 1/64 pixel.
  ///
  /// - Parameters:
  ///   - speed: The greatest first derivative, along one axis.
  ///   - bend: The greatest second derivative.
  @inline(__always)
  private static func steps(_ speed: Float, bend: Float) -> Int {
    let speed = speed * margin
    let square = 8 * bend
    // Most curves need no square root, which would delay the rest.
    if speed * speed > square { return Int(speed) &+ 1 }
    return Int(max(speed, square.squareRoot())) &+ 1
  }

  /// The larger of a vector's extents along the axes.
  @inline(__always)
  private func extent(_ vector: SIMD2<Float>) -> Float { largest(magnitude(vector)) }

  @inline(__always)
  private func magnitude(_ vector: SIMD2<Float>) -> SIMD2<Float> {
    unsafe unsafeBitCast(
      unsafeBitCast(vector, to: SIMD2<UInt32>.self) & 0x7FFF_FFFF, to: SIMD2<Float>.self)
  }

  /// The larger elements. `max` orders NaN too, which takes four instructions.
  @inline(__always)
  private func larger(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
    b.replacing(with: a, where: a .> b)
  }

  @inline(__always)
  private func largest(_ pair: SIMD2<Float>) -> Float { pair.x > pair.y ? pair.x : pair.y }
}
