/// Accumulates the edges of one outline per pixel of its bounding box.
///
/// For each pixel that an edge passes, *cover* is the height of the edge within the pixel (positive
/// downwards), and *area* the part of that height which lies on the left of the edge. The winding-weighted
/// area of the outline in a pixel is the sum of the covers up to its column, minus its area (the scheme of
/// LibArt and of FreeType's "smooth" module).
///
/// A cell is one word with the cover in the low half and the area in the high half, both in units of
/// 1/4096, about a sixteenth of a level of coverage: adding the words adds both. A borrow from the cover
/// reduces the area by one unit, less than rounding does. A winding number of 7 fits.
@safe @usableFromInline struct CellBuffer: ~Copyable {
  /// The number of cells that fit.
  static let capacity = 1 << 18
  /// The most rows, see `EdgeFlattener.rowBase`.
  static let maximumRows = 512

  /// Empty between fills, up to `prepared`; some empty cells precede the first.
  let cells: UnsafeMutablePointer<UInt32>
  /// One byte per sixteen columns: not zero if an edge passes.
  ///
  /// The edge may also lie in the column beside them. Four bytes are read at once.
  let marks: UnsafeMutablePointer<UInt8>
  /// The number of columns, a multiple of 64; the first stays free.
  private(set) var columns = 64
  private(set) var rows = 0
  /// The number of initialised cells.
  private(set) var prepared = 0

  /// Reserves the memory; pages are used as the largest outline needs them.
  init() {
    let room = UnsafeMutablePointer<UInt32>.allocate(capacity: CellBuffer.capacity + 16)
    unsafe room.initialize(repeating: 0, count: 16)
    unsafe cells = room + 8
    unsafe marks = .allocate(capacity: CellBuffer.capacity / 16)
  }

  @usableFromInline deinit {
    unsafe (cells - 8).deallocate()
    unsafe marks.deallocate()
  }

  /// Sets the size; returns false if it does not fit.
  @inline(__always)
  mutating func reshape(columns: Int, rows: Int) -> Bool {
    // A point on the lower border may count to the row below, and adds nothing to it.
    let count = columns &* (rows &+ 1)
    // With limited rows and columns the product does not overflow.
    guard 0 < rows, rows <= CellBuffer.maximumRows, columns <= CellBuffer.capacity,
      count <= CellBuffer.capacity
    else { return false }
    self.columns = columns
    self.rows = rows
    if count > prepared { prepare(count) }
    return true
  }

  @inline(never)
  private mutating func prepare(_ count: Int) {
    unsafe (cells + prepared + 8).initialize(repeating: 0, count: count - prepared)
    unsafe (marks + prepared / 16).initialize(repeating: 0, count: (count - prepared) / 16)
    prepared = count
  }

  /// Adds twelve parts of steps; the last four set the marks of their columns.
  @inline(__always)
  func add(_ cellIndices: UnsafePointer<UInt32>, _ deltas: UnsafePointer<UInt32>) {
    var part = 0
    while part < 8 {
      assert(unsafe cellIndices[part] < prepared)
      unsafe cells[Int(cellIndices[part])] &+= deltas[part]
      part &+= 1
    }
    while part < 12 {
      let cell = unsafe Int(cellIndices[part])
      assert(cell < prepared)
      unsafe cells[cell] &+= deltas[part]
      unsafe marks[cell &>> 4] = 1
      part &+= 1
    }
  }

  /// Extends the running sums of a row to a column.
  mutating func mark(column: Int, row: Int) {
    unsafe marks[(row &* columns &+ column) &>> 4] = 1
  }

  /// Sums along the rows, passes the coverage on, and empties the cells.
  ///
  /// - Parameters:
  ///   - sink: Receives the coverage.
  ///   - left: The pixel column of the first column, a multiple of sixteen.
  ///   - top: The pixel row of the first row.
  ///   - clip: Pixels beyond it are dropped, except in the groups of sixteen at its borders.
  /// - Returns: The rows of `clip` that contain all coverage.
  @inline(__always)
  func resolve<Sink: CoverageSink>(
    into sink: Sink, left: Int, top: Int, clip: PixelRect
  ) -> PixelRect {
    let (first, last) = (max(Int(clip.y0) &- top, 0), min(Int(clip.y1) &- top, rows))
    guard first < last else { return .empty }
    let clipGroups = (Int(clip.x0) &- left) &>> 4..<(Int(clip.x1) &- left &+ 15) &>> 4
    if first > 0 { discard(rows: 0..<first) }
    if last < rows { discard(rows: last..<rows) }
    var (north, south) = (first, first)
    var row = first
    var line = unsafe cells + first &* columns
    var marks = unsafe marks(of: first)
    var target = sink.row(top &+ first)
    while row < last {
      let groups = unsafe takeMarks(marks)
      if groups.lowerBound < groups.upperBound {
        unsafe resolve(line, groups, within: clipGroups, into: target, left)
        south = row &+ 1
      } else if north == row {
        north = row &+ 1
      }
      unsafe line += columns
      unsafe marks += columns &>> 4
      target.next()
      row &+= 1
    }
    // Points on the lower border mark the row below the last, without any cover.
    _ = unsafe takeMarks(self.marks(of: rows))
    guard north < south else { return .empty }
    return PixelRect(
      clip.x0, Int32(truncatingIfNeeded: top &+ north),
      clip.x1, Int32(truncatingIfNeeded: top &+ south))
  }

  /// Empties rows outside the clip.
  @inline(never)
  private func discard(rows: Range<Int>) {
    for row in rows {
      let groups = unsafe takeMarks(marks(of: row))
      guard groups.lowerBound < groups.upperBound else { continue }
      let start = groups.lowerBound &* 16 &- 1
      let count = (groups.upperBound &- groups.lowerBound) &* 16 &+ 2
      unsafe (cells + (row &* columns &+ start)).update(repeating: 0, count: count)
    }
  }

  @inline(__always)
  private func marks(of row: Int) -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(marks) + row &* columns &>> 4
  }

  /// Returns the marked groups of a row and clears the marks.
  @inline(__always)
  private func takeMarks(
    _ marks: UnsafeMutableRawPointer
  ) -> (lowerBound: Int, upperBound: Int) {
    let words = columns &>> 6
    var next = unsafe marks
    let marked = unsafe next.load(as: UInt32.self).littleEndian
    unsafe next.storeBytes(of: 0, as: UInt32.self)
    // Without marks: from 4 to −1.
    var first = marked.trailingZeroBitCount &>> 3
    var last = 3 &- marked.leadingZeroBitCount &>> 3
    var word = 1
    while word < words {
      unsafe next += 4
      let marked = unsafe next.load(as: UInt32.self).littleEndian
      unsafe next.storeBytes(of: 0, as: UInt32.self)
      if marked != 0 {
        if last < 0 { first = word &* 4 &+ marked.trailingZeroBitCount &>> 3 }
        last = word &* 4 &+ 3 &- marked.leadingZeroBitCount &>> 3
      }
      word &+= 1
    }
    return (first, last &+ 1)
  }

  /// Resolves the marked groups of a row.
  @inline(__always)
  private func resolve<Row: CoverageRow>(
    _ line: UnsafeMutablePointer<UInt32>, _ groups: (lowerBound: Int, upperBound: Int),
    within clip: Range<Int>, into row: Row, _ left: Int
  ) {
    // A step may reach into the column beside a mark.
    var group = groups.lowerBound
    if unsafe line[group &* 16 &- 1] != 0 { group &-= 1 }
    var end = groups.upperBound
    if unsafe line[end &* 16] != 0 { end &+= 1 }
    var next = unsafe UnsafeMutableRawPointer(line + group &* 16)
    var sum = SIMD4<UInt32>.zero
    while group < end {
      let a = unsafe take(next)
      let b = unsafe take(next + 16)
      let c = unsafe take(next + 32)
      let d = unsafe take(next + 48)
      // Adds the last sum of the four cells on the left. The sums within the fours do not depend on
      // each other, so that they are computed in parallel.
      let (sumA, sumB, sumC, sumD) = (sums(a), sums(b), sums(c), sums(d))
      let beforeB = sum &+ SIMD4(repeating: sumA[3])
      let beforeC = beforeB &+ SIMD4(repeating: sumB[3])
      let beforeD = beforeC &+ SIMD4(repeating: sumC[3])
      if group >= clip.lowerBound, group < clip.upperBound {
        let first = levels(sumA &- a &+ sum, sumB &- b &+ beforeB)
        let second = levels(sumC &- c &+ beforeC, sumD &- d &+ beforeD)
        let levels = unsafe SIMD32(
          lowHalf: unsafeBitCast(first, to: SIMD16<UInt8>.self),
          highHalf: unsafeBitCast(second, to: SIMD16<UInt8>.self))
        row.add(levels.evenHalf, left &+ group &* 16)
      }
      sum = beforeD &+ SIMD4(repeating: sumD[3])
      unsafe next += 64
      group &+= 1
    }
  }

  /// Returns four cells and empties them.
  @inline(__always)
  private func take(_ first: UnsafeMutableRawPointer) -> SIMD4<UInt32> {
    let cells = unsafe first.load(as: SIMD4<UInt32>.self)
    unsafe first.storeBytes(of: .zero, as: SIMD4<UInt32>.self)
    return cells
  }

  /// The running sums of the covers alone, in the high halves.
  @inline(__always)
  private func sums(_ cells: SIMD4<UInt32>) -> SIMD4<UInt32> {
    #if arch(arm) || arch(arm64)
      // The same as below, in lanes: for shifts of 64 bits the compiler leaves NEON's registers on ARMv7, and on arm64
      // lanes take fewer instructions (`make bench ARCH=arm64 ROWS=raster`: .408 of AGG, .420 with the form below).
      let covers = cells &<< 16
      let pairs = covers &+ SIMD4(0, covers[0], 0, covers[2])
    #else
      // The low halves are zero: a carry into the neighbour is far below a unit.
      let covers = unsafe unsafeBitCast(cells &<< 16, to: SIMD2<UInt64>.self)
      let pairs = unsafe unsafeBitCast(covers &+ (covers &<< 32), to: SIMD4<UInt32>.self)
    #endif
    return pairs &+ SIMD4(0, 0, pairs[1], pairs[1])
  }

  /// Converts units in the high halves to levels of coverage.
  @inline(__always)
  private func levels(_ low: SIMD4<UInt32>, _ high: SIMD4<UInt32>) -> SIMD2<UInt64> {
    let units = unsafe SIMD8(
      lowHalf: unsafeBitCast(low, to: SIMD8<Int16>.self).oddHalf,
      highHalf: unsafeBitCast(high, to: SIMD8<Int16>.self).oddHalf)
    let sign = units &>> 15
    let size = (units ^ sign) &- sign
    // 255/256, and sixteen units per level.
    let level = (size &- size &>> 8 &+ 8) &>> 4
    // Makes the low byte 255 where the level exceeds it.
    let limited = unsafe unsafeBitCast(level, to: SIMD8<UInt16>.self).addingSaturated(0xFF00)
    // As words: extracting single bytes makes the compiler leave the vector registers.
    return unsafe unsafeBitCast(limited, to: SIMD2<UInt64>.self) & 0x00FF_00FF_00FF_00FF
  }
}
