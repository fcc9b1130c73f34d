extension Canvas {
  /// Copies `count` pixels of a row, from the column `x` on, to the beginning of `output`.
  public func copy(row y: Int, from x: Int, count: Int, to output: inout MutableSpan<UInt32>) {
    let end = x + count
    precondition(y >= 0 && y < height && x >= 0 && end <= width && count <= output.count)
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let out = output.baseAddress else { return }
      var column = x
      while column < end {
        let stop = min((column | 15) &+ 1, end)
        let place = unsafe out + (column &- x)
        if let pixels = unsafe kept(column, y) {
          unsafe place.update(from: pixels, count: stop &- column)
        } else {
          unsafe place.update(repeating: palette.ground, count: stop &- column)
        }
        column = stop
      }
    }
  }

  /// Copies `count` pixels of a column, from the row `y` on, to the beginning of `output`.
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
