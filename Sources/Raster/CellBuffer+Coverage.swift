extension CellBuffer {
  /// Sums along the rows, hands the coverage on and leaves the buffer empty.
  ///
  /// - Parameters:
  ///   - sink: Takes it.
  ///   - left: The pixel column of the first column, a multiple of eight.
  ///   - top: The pixel row of the first row.
  ///   - clip: Pixels beyond are left out, up to the eight that are handed on together.
  /// - Returns: Of `clip`, the rows outside which there is no coverage.
  @inline(__always)
  func resolve<Sink: CoverageSink>(
    into sink: Sink, left: Int, top: Int, clip: PixelRect
  ) -> PixelRect {
    let (first, last) = (max(Int(clip.y0) &- top, 0), min(Int(clip.y1) &- top, rows))
    guard first < last else { return .empty }
    let clipGroups = (Int(clip.x0) &- left) &>> 3..<(Int(clip.x1) &- left &+ 7) &>> 3
    if first > 0 { discard(rows: 0..<first) }
    if last < rows { discard(rows: last..<rows) }
    var (north, south) = (last, first)
    var row = first
    var line = unsafe cells + first &* columns
    while row < last {
      let groups = takeMarks(of: row)
      if groups.lowerBound < groups.upperBound {
        unsafe resolve(line, groups, within: clipGroups, into: sink, left, top &+ row)
        north = min(north, row)
        south = row &+ 1
      }
      unsafe line += columns
      row &+= 1
    }
    // Below the last row: marked by places on its lower border, without any cover.
    _ = takeMarks(of: rows)
    guard north < south else { return .empty }
    return PixelRect(
      clip.x0, Int32(truncatingIfNeeded: top &+ north),
      clip.x1, Int32(truncatingIfNeeded: top &+ south))
  }

  /// Empties rows that nobody wants.
  @inline(never)
  private func discard(rows: Range<Int>) {
    for row in rows {
      let groups = takeMarks(of: row)
      guard groups.lowerBound < groups.upperBound else { continue }
      let start = groups.lowerBound &* 8 &- 1
      let count = (groups.upperBound &- groups.lowerBound) &* 8 &+ 2
      unsafe (cells + (row &* columns &+ start)).update(repeating: 0, count: count)
    }
  }

  /// The groups of eight columns of a row that are marked; forgets the marks.
  @inline(__always)
  private func takeMarks(of row: Int) -> (lowerBound: Int, upperBound: Int) {
    let words = columns &>> 6
    var place = unsafe UnsafeMutableRawPointer(marks) + row &* words &* 8
    let marked = unsafe place.load(as: UInt64.self).littleEndian
    unsafe place.storeBytes(of: 0, as: UInt64.self)
    // Without marks: from 8 to −1.
    var first = marked.trailingZeroBitCount &>> 3
    var last = 7 &- marked.leadingZeroBitCount &>> 3
    var word = 1
    while word < words {
      unsafe place += 8
      let marked = unsafe place.load(as: UInt64.self).littleEndian
      unsafe place.storeBytes(of: 0, as: UInt64.self)
      if marked != 0 {
        if last < 0 { first = word &* 8 &+ marked.trailingZeroBitCount &>> 3 }
        last = word &* 8 &+ 7 &- marked.leadingZeroBitCount &>> 3
      }
      word &+= 1
    }
    return (first, last &+ 1)
  }

  /// A row's groups of eight columns.
  @inline(__always)
  private func resolve<Sink: CoverageSink>(
    _ line: UnsafeMutablePointer<UInt32>, _ groups: (lowerBound: Int, upperBound: Int),
    within clip: Range<Int>, into sink: Sink, _ left: Int, _ y: Int
  ) {
    // A step may reach into the column beside a mark.
    var group = groups.lowerBound
    if unsafe line[group &* 8 &- 1] != 0 { group &-= 1 }
    var end = groups.upperBound
    if unsafe line[end &* 8] != 0 { end &+= 1 }
    var place = unsafe UnsafeMutableRawPointer(line + group &* 8)
    var sum = SIMD4<UInt32>.zero
    while group < end {
      let a = unsafe place.load(as: SIMD4<UInt32>.self)
      let b = unsafe place.load(fromByteOffset: 16, as: SIMD4<UInt32>.self)
      unsafe place.storeBytes(of: .zero, as: SIMD4<UInt32>.self)
      unsafe place.storeBytes(of: .zero, toByteOffset: 16, as: SIMD4<UInt32>.self)
      let low = sums(a) &+ sum
      let middle = SIMD4(repeating: low[3])
      let rest = sums(b)
      let high = rest &+ middle
      // The last of `high`, but the next group need not wait for all of it.
      sum = middle &+ SIMD4(repeating: rest[3])
      if group >= clip.lowerBound, group < clip.upperBound {
        sink.add(levels(low &- a, high &- b), left &+ group &* 8, y)
      }
      unsafe place += 32
      group &+= 1
    }
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
  private func levels(_ low: SIMD4<UInt32>, _ high: SIMD4<UInt32>) -> SIMD8<UInt8> {
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
    let words = unsafe unsafeBitCast(limited, to: SIMD2<UInt64>.self) & 0x00FF_00FF_00FF_00FF
    return unsafe unsafeBitCast(words, to: SIMD16<UInt8>.self).evenHalf
  }
}
