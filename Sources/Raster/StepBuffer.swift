/// The way around a contour in steps of at most a pixel along each axis, in pixels of a `CellBuffer`.
///
/// A step that short lies in three pixels at most: before, between and after the row and the column
/// that it crosses. That makes every step the same work, four of which are done at once.
@safe @usableFromInline struct StepBuffer: ~Copyable {
  /// Steps for which there is room at once; longer contours are taken in parts.
  static let capacity = 1024
  /// Nearly all edges have fewer steps.
  private static let known = 64
  /// `Float` has steps of 1/4096 from here to 4096: added to a row, it rounds it to units.
  static let rowBase: Float = 3072

  /// Columns of the points.
  let x: UnsafeMutablePointer<Float>
  /// Rows of the points, in units, `rowBase` higher than they are.
  let y: UnsafeMutablePointer<Float>
  /// Of a group of four steps, the cells of the four first parts, of the parts between and of the last
  /// parts.
  let places: UnsafeMutablePointer<UInt32>
  /// What these cells gain.
  let gains: UnsafeMutablePointer<UInt32>
  /// What a step is of an edge, for each number of steps that is `known`.
  private let shares: UnsafeMutablePointer<StepShare>
  /// Points there are: one more than steps.
  private(set) var count = 0

  init() {
    // Lanes beyond the last are written as well.
    let room = StepBuffer.capacity + 8
    unsafe x = .allocate(capacity: room)
    unsafe y = .allocate(capacity: room)
    unsafe places = .allocate(capacity: 12)
    unsafe gains = .allocate(capacity: 12)
    unsafe shares = .allocate(capacity: StepBuffer.known)
    for steps in 0..<StepBuffer.known {
      unsafe (shares + steps).initialize(to: StepShare(of: steps))
    }
  }

  @usableFromInline deinit {
    unsafe x.deallocate()
    unsafe y.deallocate()
    unsafe places.deallocate()
    unsafe gains.deallocate()
    unsafe shares.deallocate()
  }

  /// Starts a contour.
  @inline(__always)
  mutating func start(_ point: SIMD2<Float>) {
    unsafe x[0] = point.x
    unsafe y[0] = point.y + StepBuffer.rowBase
    count = 1
  }

  /// What a step is of an edge of so many steps.
  @inline(__always)
  func share(of steps: Int) -> StepShare {
    unsafe steps < StepBuffer.known ? shares[steps] : StepShare(of: steps)
  }

  /// Adds the edge a·u³ + b·u² + c·u + d, from where the contour is (u = 1) to d (u = 0).
  ///
  /// The chord of a step lies within the bend by 2/3 of its sagitta in the mean, h²·p″/12. All points
  /// but the ends are therefore moved out by as much, which leaves the area as it is.
  ///
  /// - Parameters:
  ///   - ab: a in the low half, b in the high.
  ///   - cd: c and d.
  @inline(never)
  mutating func add(
    _ ab: SIMD4<Float>, _ cd: SIMD4<Float>, steps: Int, in cells: inout CellBuffer
  ) {
    if steps <= StepBuffer.capacity &+ 1 &- count {
      write(ab, cd, from: 0, to: steps, of: steps)
    } else {
      addInParts(ab, cd, steps: steps, in: &cells)
    }
    end(at: cd.highHalf, after: 0)
  }

  /// An edge for which there is not room enough.
  @inline(never)
  private mutating func addInParts(
    _ ab: SIMD4<Float>, _ cd: SIMD4<Float>, steps: Int, in cells: inout CellBuffer
  ) {
    var done = 0
    while done < steps {
      if count > StepBuffer.capacity { flush(into: &cells) }
      let part = min(steps &- done, StepBuffer.capacity &+ 1 &- count)
      write(ab, cd, from: done, to: done &+ part, of: steps)
      done &+= part
    }
  }

  /// Some of an edge's steps, for which there is room.
  @inline(__always)
  private mutating func write(
    _ ab: SIMD4<Float>, _ cd: SIMD4<Float>, from first: Int, to last: Int, of steps: Int
  ) {
    let share = share(of: steps)
    let h = share.first
    let raised = cd + SIMD4(0, 0, 0, StepBuffer.rowBase)
    let moved = raised - ab * SIMD4(share.half, share.half, share.sixth, share.sixth)
    let placeX = unsafe UnsafeMutableRawPointer(x + count)
    let placeY = unsafe UnsafeMutableRawPointer(y + count)
    var left = SIMD4<Float>(-1, -2, -3, -4) + Float(steps &- first)
    let part = last &- first
    var at = 0
    while at < part {
      let u = left * h
      let square = u * u
      let column = (u * ab.x + ab.z) * square + (u * moved.x + moved.z)
      let row = (u * ab.y + ab.w) * square + (u * moved.y + moved.w)
      unsafe placeX.storeBytes(of: column, toByteOffset: at &* 4, as: SIMD4<Float>.self)
      unsafe placeY.storeBytes(of: row, toByteOffset: at &* 4, as: SIMD4<Float>.self)
      left -= 4
      at &+= 4
    }
    count &+= part
  }

  /// Edges of some steps end where they ought to, and not nearly there.
  @inline(__always)
  mutating func end(at point: SIMD2<Float>, after steps: Int) {
    count &+= steps
    unsafe x[count &- 1] = point.x
    unsafe y[count &- 1] = point.y + StepBuffer.rowBase
  }

  /// Takes what there is into the cells; the contour goes on from its last point.
  @inline(never)
  mutating func flush(into cells: inout CellBuffer) {
    guard count > 1 else { return }
    let lastX = unsafe x[count &- 1]
    let lastY = unsafe y[count &- 1]
    // Steps that go nowhere make the last group whole.
    for index in count..<count &+ 3 {
      unsafe x[index] = lastX
      unsafe y[index] = lastY
    }
    let groups = (count &+ 2) &>> 2
    split(groups: groups, into: cells)
    unsafe x[0] = lastX
    unsafe y[0] = lastY
    count = 1
  }
}
