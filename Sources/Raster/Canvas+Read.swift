extension Canvas {
  /// Copies the pixels of a rectangle within the canvas to the beginning of `output`, whose rows lie
  /// `stride` pixels apart. Output is not read: it may be what a panel shows.
  @_lifetime(output: copy output)
  public func copy(_ rect: PixelRect, to output: inout MutableSpan<UInt32>, stride: Int) {
    guard !rect.isEmpty else { return }
    let (left, top) = (Int(rect.x0), Int(rect.y0))
    let (right, bottom) = (Int(rect.x1), Int(rect.y1))
    precondition(left >= 0 && top >= 0 && right <= width && bottom <= height)
    precondition(rect.width <= stride && (rect.height - 1) * stride + rect.width <= output.count)
    // In memory, as all other pixels are: one loop for every row of a group.
    let plain = SIMD16(repeating: palette.ground)
    unsafe withUnsafeBytes(of: plain) { plain in
      guard let plain = plain.baseAddress else { return }
      unsafe output.withUnsafeMutableBytes { output in
        guard let out = output.baseAddress else { return }
        var y = top
        while y < bottom {
          let end = min((y | 31) &+ 1, bottom)
          var x = left
          while x < right {
            // Within the group of sixteen columns and within what was asked for, so that nothing is read or
            // written beyond.
            let stop = min((x | 15) &+ 1, right)
            let place = unsafe out + 4 &* (stride &* (y &- top) &+ x &- left)
            unsafe group(x, y, plain: plain)
              .copy(columns: stop &- x, rows: end &- y, to: place, pitch: 4 &* stride)
            x = stop
          }
          y = end
        }
      }
    }
  }

  /// Copies `count` pixels of a row, from the column `x` on, to the beginning of `output`.
  @_lifetime(output: copy output)
  public func copy(row y: Int, from x: Int, count: Int, to output: inout MutableSpan<UInt32>) {
    precondition(y >= 0 && y < height && x >= 0 && count >= 0 && x + count <= width)
    let (left, top) = (Int32(truncatingIfNeeded: x), Int32(truncatingIfNeeded: y))
    let right = Int32(truncatingIfNeeded: x + count)
    copy(PixelRect(left, top, right, top + 1), to: &output, stride: count)
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

  /// Where a pixel is kept; nil: it is plain ground.
  @inline(__always)
  private func kept(_ x: Int, _ y: Int) -> UnsafePointer<UInt32>? {
    let index = (y &>> 5) &* ground.columns &+ x &>> 5
    let at = (y & 31) &* InkedPixels.side &+ x & 31
    if inked[index, half: x &>> 4 & 1] &>> UInt32(truncatingIfNeeded: y & 31) & 1 != 0 {
      return unsafe UnsafePointer(
        inked.tile(index).assumingMemoryBound(to: UInt32.self) + at)
    }
    return unsafe ground.painted(index).map { unsafe UnsafePointer($0.colours + at) }
  }

  /// The pixels from a place on, within sixteen columns of a tile.
  @inline(__always)
  private func group(_ x: Int, _ y: Int, plain: UnsafeRawPointer) -> Group {
    let index = (y &>> 5) &* ground.columns &+ x &>> 5
    let at = (y & 31) &* InkedPixels.side &+ x & 31
    let bits = inked[index, half: x &>> 4 & 1] &>> UInt32(truncatingIfNeeded: y & 31)
    let shown = unsafe UnsafeRawPointer(inked.tile(index)) + 4 &* at
    guard let painted = ground.painted(index) else {
      return unsafe Group(inked: bits, shown: shown, below: plain, pitch: 0)
    }
    return unsafe Group(
      inked: bits, shown: shown, below: UnsafeRawPointer(painted.colours + at), pitch: Group.pitch)
  }

  /// Up to sixteen columns, and rows of a tile.
  @safe private struct Group {
    /// Bytes from row to row of a tile.
    static let pitch = 4 * InkedPixels.side

    /// A bit for each row in which ink is seen.
    let inked: UInt32
    /// The first row where ink is seen, and where none is; and how far the second is from there.
    let shown, below: UnsafeRawPointer
    let pitch: Int

    /// As two vectors a row that may overlap. A call of `memcpy` takes longer than a row.
    @inline(__always)
    func copy(columns: Int, rows: Int, to output: UnsafeMutableRawPointer, pitch: Int) {
      if columns >= 8 {
        unsafe copy(SIMD8<UInt32>.self, columns, rows, output, pitch)
      } else if columns >= 4 {
        unsafe copy(SIMD4<UInt32>.self, columns, rows, output, pitch)
      } else if columns >= 2 {
        unsafe copy(SIMD2<UInt32>.self, columns, rows, output, pitch)
      } else {
        unsafe copy(UInt32.self, columns, rows, output, pitch)
      }
    }

    /// The first pixels of each row and the last, as many as a vector has.
    @inline(__always)
    private func copy<Pixels: BitwiseCopyable>(
      _: Pixels.Type, _ columns: Int, _ rows: Int, _ output: UnsafeMutableRawPointer, _ pitch: Int
    ) {
      let rest = 4 &* columns &- MemoryLayout<Pixels>.size
      var (inked, left) = (inked, rows)
      var (shown, below, out) = unsafe (shown, below, output)
      while left > 0 {
        let pixels = unsafe inked & 1 != 0 ? shown : below
        let first = unsafe pixels.loadUnaligned(as: Pixels.self)
        let last = unsafe pixels.loadUnaligned(fromByteOffset: rest, as: Pixels.self)
        unsafe out.storeBytes(of: first, as: Pixels.self)
        unsafe out.storeBytes(of: last, toByteOffset: rest, as: Pixels.self)
        inked &>>= 1
        unsafe shown += Group.pitch
        unsafe below += self.pitch
        unsafe out += pitch
        left &-= 1
      }
    }
  }
}
