extension CellBuffer {
  /// Sums along the rows, hands the coverage on and leaves the buffer empty.
  ///
  /// - Parameters:
  ///   - sink: Takes it.
  ///   - left: The pixel column of the first column, a multiple of sixteen.
  ///   - top: The pixel row of the first row.
  ///   - clip: Pixels beyond are left out, up to the sixteen that are handed on together.
  /// - Returns: Of `clip`, the rows outside which there is no coverage.
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
    // Below the last row: marked by places on its lower border, without any cover.
    _ = unsafe takeMarks(self.marks(of: rows))
    guard north < south else { return .empty }
    return PixelRect(
      clip.x0, Int32(truncatingIfNeeded: top &+ north),
      clip.x1, Int32(truncatingIfNeeded: top &+ south))
  }

  /// Empties rows that nobody wants.
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

  /// The groups of sixteen columns of a row that are marked; forgets the marks.
  @inline(__always)
  private func takeMarks(
    _ marks: UnsafeMutableRawPointer
  ) -> (lowerBound: Int, upperBound: Int) {
    let words = columns &>> 6
    var place = unsafe marks
    let marked = unsafe place.load(as: UInt32.self).littleEndian
    unsafe place.storeBytes(of: 0, as: UInt32.self)
    // Without marks: from 4 to −1.
    var first = marked.trailingZeroBitCount &>> 3
    var last = 3 &- marked.leadingZeroBitCount &>> 3
    var word = 1
    while word < words {
      unsafe place += 4
      let marked = unsafe place.load(as: UInt32.self).littleEndian
      unsafe place.storeBytes(of: 0, as: UInt32.self)
      if marked != 0 {
        if last < 0 { first = word &* 4 &+ marked.trailingZeroBitCount &>> 3 }
        last = word &* 4 &+ 3 &- marked.leadingZeroBitCount &>> 3
      }
      word &+= 1
    }
    return (first, last &+ 1)
  }

  /// A row's groups of sixteen columns.
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
    var place = unsafe UnsafeMutableRawPointer(line + group &* 16)
    var sum = SIMD4<UInt32>.zero
    while group < end {
      let a = unsafe take(place)
      let b = unsafe take(place + 16)
      let c = unsafe take(place + 32)
      let d = unsafe take(place + 48)
      // What is to the left of each four: the last of their sums, but they need not wait for all of them.
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
      unsafe place += 64
      group &+= 1
    }
  }

  /// Four cells, which are empty then.
  @inline(__always)
  private func take(_ place: UnsafeMutableRawPointer) -> SIMD4<UInt32> {
    let cells = unsafe place.load(as: SIMD4<UInt32>.self)
    unsafe place.storeBytes(of: .zero, as: SIMD4<UInt32>.self)
    return cells
  }

  /// The running sums of the covers alone, in the high halves.
  @inline(__always)
  private func sums(_ cells: SIMD4<UInt32>) -> SIMD4<UInt32> {
    // The low halves are zero, so that a carry into the neighbour is far below a unit.
    let covers = unsafe unsafeBitCast(cells &<< 16, to: SIMD2<UInt64>.self)
    let pairs = unsafe unsafeBitCast(covers &+ (covers &<< 32), to: SIMD4<UInt32>.self)
    return pairs &+ SIMD4(0, 0, pairs[1], pairs[1])
  }

  /// Levels of coverage from units in the high halves.
  @inline(__always)
  private func levels(_ low: SIMD4<UInt32>, _ high: SIMD4<UInt32>) -> SIMD2<UInt64> {
    let units = unsafe SIMD8(
      lowHalf: unsafeBitCast(low, to: SIMD8<Int16>.self).oddHalf,
      highHalf: unsafeBitCast(high, to: SIMD8<Int16>.self).oddHalf)
    let sign = units &>> 15
    let size = (units ^ sign) &- sign
    // 255/256, and sixteen units to a level.
    let level = (size &- size &>> 8 &+ 8) &>> 4
    // 255 in the low byte where it is more than that.
    let limited = unsafe unsafeBitCast(level, to: SIMD8<UInt16>.self).addingSaturated(0xFF00)
    // As words: taken out one by one, the bytes make the compiler leave the vectors.
    return unsafe unsafeBitCast(limited, to: SIMD2<UInt64>.self) & 0x00FF_00FF_00FF_00FF
  }
}
