extension Canvas {
  /// Brings a rectangle up to date: where ink is seen, and what it looks like.
  ///
  /// Pixels left and right of it may be brought up to date as well, as groups of sixteen columns are
  /// taken whole.
  ///
  /// - Parameters:
  ///   - rect: What changed; parts beyond the canvas are ignored.
  ///   - ink: As large as the canvas.
  public mutating func compose(_ rect: PixelRect, ink: borrowing InkPlanes) {
    precondition(ink.width == width && ink.height == height)
    let area = rect.intersection(self.rect)
    guard !area.isEmpty else { return }
    let lent = ink.tiles.lent
    let (left, right) = (Int(area.x0) &>> 4, (Int(area.x1) &+ 15) &>> 4)
    let (top, bottom) = (Int(area.y0), Int(area.y1))
    var y = top
    while y < bottom {
      let end = min((y | 31) &+ 1, bottom)
      // A bit for each row of the tile that lies in the rectangle.
      let rows =
        (UInt32.max &<< UInt32(truncatingIfNeeded: y & 31))
        & (UInt32.max &>> UInt32(truncatingIfNeeded: (0 &- end) & 31))
      let first = (y &>> 5) &* lent.columns
      let picture = (y &>> 5) &* ground.columns
      var column = left
      while column < right {
        compose(
          first &+ column, rows, lent, half: column & 1, of: picture &+ column &>> 1)
        column &+= 1
      }
      y = end
    }
  }

  /// Brings all rectangles of a region up to date.
  public mutating func compose(_ region: PixelRegion, ink: borrowing InkPlanes) {
    for index in 0..<region.count { compose(region[index], ink: ink) }
  }

  /// Rows of a tile of ink, which is half a tile of the picture.
  @inline(__always)
  private func compose(
    _ tile: Int, _ rows: UInt32, _ tiles: InkTiles.Lent, half: Int, of index: Int
  ) {
    let state = unsafe tiles.states[tile]
    var left = (state.page | state.stroke | state.tail) & rows
    inked[index, half: half] = inked[index, half: half] & ~rows | left
    let layers = unsafe tiles.bytes + tile &* InkTiles.tileSize
    let picture = unsafe inked.tile(index) + half &* 64
    let painted = ground.painted(index)
    while left != 0 {
      let row = left.trailingZeroBitCount
      let bit = left & (0 &- left)
      left ^= bit
      let coverage = unsafe tiles.visible(layers + row &* InkTiles.width, state, bit)
      let out = unsafe picture + row &* (4 &* InkedPixels.side)
      if let painted {
        let below = painted.load(row &* InkedPixels.side &+ half &* 16)
        unsafe out.storeBytes(of: palette.pixels(coverage, over: below), as: SIMD16<UInt32>.self)
      } else {
        unsafe out.storeBytes(of: palette.pixels(coverage), as: SIMD16<UInt32>.self)
      }
    }
  }
}
