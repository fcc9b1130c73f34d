extension Canvas {
  /// Copies `count` pixels of a row, from the column `x` on, to the beginning of `output`.
  public func copy(row y: Int, from x: Int, count: Int, to output: inout MutableSpan<UInt32>) {
    let end = x + count
    precondition(y >= 0 && y < height && x >= 0 && end <= width && count <= output.count)
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let out = output.baseAddress else { return }
      var place = UnsafeMutableRawPointer(out)
      var column = x
      while column < end {
        // Within the group of sixteen columns and within what was asked for, so that nothing is read or
        // written beyond.
        let stop = min((column | 15) &+ 1, end)
        let pixels = unsafe UnsafeRawPointer(kept(column, y))
        unsafe place = copy(stop &- column, of: pixels, to: place)
        column = stop
      }
    }
  }

  /// Copies up to sixteen pixels, or as many of the plain ground; returns where the next ones go. A call of
  /// `memcpy` for each group takes longer than the group.
  @inline(__always)
  private func copy(
    _ count: Int, of pixels: UnsafeRawPointer?, to output: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var done = 0
    if count & 16 != 0 { unsafe move(SIMD16<UInt32>.self, pixels, output, &done) }
    if count & 8 != 0 { unsafe move(SIMD8<UInt32>.self, pixels, output, &done) }
    if count & 4 != 0 { unsafe move(SIMD4<UInt32>.self, pixels, output, &done) }
    if count & 2 != 0 { unsafe move(SIMD2<UInt32>.self, pixels, output, &done) }
    if count & 1 != 0 {
      let pixel = unsafe pixels?.loadUnaligned(fromByteOffset: done, as: UInt32.self)
      unsafe output.storeBytes(
        of: pixel ?? palette.ground, toByteOffset: done, as: UInt32.self)
    }
    return unsafe output + 4 &* count
  }

  /// The next pixels of a group, as many as a vector has.
  @inline(__always)
  private func move<Pixels: SIMD & BitwiseCopyable>(
    _: Pixels.Type, _ pixels: UnsafeRawPointer?, _ output: UnsafeMutableRawPointer,
    _ done: inout Int
  ) where Pixels.Scalar == UInt32 {
    let next = unsafe pixels?.loadUnaligned(fromByteOffset: done, as: Pixels.self)
    unsafe output.storeBytes(
      of: next ?? Pixels(repeating: palette.ground), toByteOffset: done, as: Pixels.self)
    done &+= MemoryLayout<Pixels>.size
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
