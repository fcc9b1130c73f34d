extension Canvas {
  /// Copies `count` pixels of a row, from the column `x` on, to the beginning of `output`.
  @_lifetime(output: copy output)
  public func copy(row y: Int, from x: Int, count: Int, to output: inout MutableSpan<UInt32>) {
    let end = x + count
    precondition(y >= 0 && y < height && x >= 0 && end <= width && count <= output.count)
    // In memory, as all other pixels are: one branch for a group, whose vectors then ask nothing.
    let plain = SIMD16(repeating: palette.ground)
    unsafe withUnsafeBytes(of: plain) { plain in
      guard let plain = plain.baseAddress else { return }
      unsafe output.withUnsafeMutableBytes { output in
        guard let out = output.baseAddress else { return }
        var place = unsafe out
        var column = x
        while column < end {
          // Within the group of sixteen columns and within what was asked for, so that nothing is read or
          // written beyond.
          let stop = min((column | 15) &+ 1, end)
          let pixels = unsafe UnsafeRawPointer(kept(column, y)) ?? plain
          unsafe Canvas.copy(stop &- column, of: pixels, to: place)
          unsafe place += 4 &* (stop &- column)
          column = stop
        }
      }
    }
  }

  /// Copies up to sixteen pixels as two vectors that may overlap. A call of `memcpy` for each group takes
  /// longer than the group.
  @inline(__always)
  private static func copy(
    _ count: Int, of pixels: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    if count >= 8 {
      unsafe copy(SIMD8<UInt32>.self, count, pixels, output)
    } else if count >= 4 {
      unsafe copy(SIMD4<UInt32>.self, count, pixels, output)
    } else if count >= 2 {
      unsafe copy(SIMD2<UInt32>.self, count, pixels, output)
    } else {
      unsafe copy(UInt32.self, count, pixels, output)
    }
  }

  /// The first pixels of a group and the last, as many as a vector has.
  @inline(__always)
  private static func copy<Pixels: BitwiseCopyable>(
    _: Pixels.Type, _ count: Int, _ pixels: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let rest = 4 &* count &- MemoryLayout<Pixels>.size
    let first = unsafe pixels.loadUnaligned(as: Pixels.self)
    let last = unsafe pixels.loadUnaligned(fromByteOffset: rest, as: Pixels.self)
    unsafe output.storeBytes(of: first, as: Pixels.self)
    unsafe output.storeBytes(of: last, toByteOffset: rest, as: Pixels.self)
  }

  /// Copies `count` pixels of a column, from the row `y` on, to the beginning of `output`.
  @_lifetime(output: copy output)
  public func copy(column x: Int, from y: Int, count: Int, to output: inout MutableSpan<UInt32>) {
    let end = y + count
    precondition(x >= 0 && x < width && y >= 0 && end <= height && count <= output.count)
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let out = output.baseAddress else { return }
      for index in 0..<count {
        unsafe out[index] = kept(x, y &+ index)?.pointee ?? palette.ground
      }
    }
  }

  /// One pixel.
  public subscript(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return unsafe kept(x, y)?.pointee ?? palette.ground
  }

  /// Where a pixel is kept, and those right of it up to a multiple of sixteen; nil: it is plain ground.
  @inline(__always)
  private func kept(_ x: Int, _ y: Int) -> UnsafePointer<UInt32>? {
    let index = (y &>> 5) &* ground.columns &+ x &>> 5
    let at = (y & 31) &* InkTiles.side &+ x & 31
    if inked[index, half: x &>> 4 & 1] &>> UInt32(truncatingIfNeeded: y & 31) & 1 != 0 {
      return unsafe UnsafePointer(
        inked.tile(index).assumingMemoryBound(to: UInt32.self) + at)
    }
    return unsafe ground.painted(index).map { unsafe UnsafePointer($0.colours + at) }
  }
}
