extension CellBuffer {
  /// Sums along the rows, hands the coverage on and leaves the buffer empty.
  ///
  /// - Parameters:
  ///   - sink: Takes it.
  ///   - left: The pixel column of the first column, a multiple of eight.
  ///   - top: The pixel row of the first row.
  ///   - clip: Pixels beyond are left out, up to the eight that are handed on together.
  /// - Returns: The pixels outside which there is no coverage.
  @inline(__always)
  func resolve<Sink: CoverageSink>(
    into sink: Sink, left: Int, top: Int, clip: PixelRect
  ) -> PixelRect {
    let words = columns &>> 6
    let clipRows = Int(clip.y0) &- top..<Int(clip.y1) &- top
    let clipGroups = (Int(clip.x0) &- left) &>> 3..<(Int(clip.x1) &- left &+ 7) &>> 3
    var (west, east, north, south) = (Int.max, 0, rows, 0)
    var marks = unsafe UnsafeMutableRawPointer(self.marks)
    var line = unsafe cells
    var row = 0
    while row < rows {
      var first = -1
      var last = 0
      var word = 0
      while word < words {
        let marked = unsafe marks.load(as: UInt64.self).littleEndian
        if marked != 0 {
          unsafe marks.storeBytes(of: 0, as: UInt64.self)
          if first < 0 { first = word &* 8 &+ marked.trailingZeroBitCount &>> 3 }
          last = word &* 8 &+ 7 &- marked.leadingZeroBitCount &>> 3
        }
        unsafe marks += 8
        word &+= 1
      }
      if first >= 0 {
        // A step may reach into the column beside the pixel where it ends, which is marked.
        if unsafe line[first &* 8 &- 1] != 0 { first &-= 1 }
        if unsafe line[last &* 8 &+ 8] != 0 { last &+= 1 }
        let groups = row >= clipRows.lowerBound && row < clipRows.upperBound ? clipGroups : 0..<0
        unsafe resolve(line, first..<last &+ 1, within: groups, into: sink, left, top &+ row)
        west = min(west, first)
        east = max(east, last)
        north = min(north, row)
        south = row &+ 1
      }
      unsafe line += columns
      row &+= 1
    }
    guard north < south else { return .empty }
    let rect = PixelRect(
      Int32(truncatingIfNeeded: left &+ west &* 8), Int32(truncatingIfNeeded: top &+ north),
      Int32(truncatingIfNeeded: left &+ east &* 8 &+ 8), Int32(truncatingIfNeeded: top &+ south))
    return rect.intersection(clip)
  }

  /// A row's groups of eight columns.
  @inline(__always)
  private func resolve<Sink: CoverageSink>(
    _ line: UnsafeMutablePointer<UInt32>, _ groups: Range<Int>, within clip: Range<Int>,
    into sink: Sink, _ left: Int, _ y: Int
  ) {
    var group = groups.lowerBound
    var place = unsafe UnsafeMutableRawPointer(line + group &* 8)
    var sum = SIMD4<UInt32>.zero
    while group < groups.upperBound {
      let a = unsafe place.load(as: SIMD4<UInt32>.self)
      let b = unsafe place.load(fromByteOffset: 16, as: SIMD4<UInt32>.self)
      unsafe place.storeBytes(of: .zero, as: SIMD4<UInt32>.self)
      unsafe place.storeBytes(of: .zero, toByteOffset: 16, as: SIMD4<UInt32>.self)
      let low = sums(a) &+ sum
      let high = sums(b) &+ SIMD4(repeating: low[3])
      sum = SIMD4(repeating: high[3])
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
    // Pixels 0, 4, 1, 5, …: without leaving the vectors, which costs more than the order.
    let units = unsafe unsafeBitCast(low &>> 16 | high & 0xFFFF_0000, to: SIMD8<Int16>.self)
    let negative = 0 &- units
    let size = units.replacing(with: negative, where: units .< negative)
    // 255/256, and sixteen units to a level.
    let level = (size &- size &>> 8 &+ 8) &>> 4
    // All bits where it is more than 255.
    let limit = (255 &- level) &>> 15
    let bytes = unsafe unsafeBitCast(level | limit, to: SIMD16<UInt8>.self)
    return SIMD8(
      bytes[0], bytes[4], bytes[8], bytes[12], bytes[2], bytes[6], bytes[10], bytes[14])
  }
}
