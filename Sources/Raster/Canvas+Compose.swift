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
      let first = (y &>> 5) &* ground.columns
      var group = left
      while group < right {
        compose(half: group & 1, of: first &+ group &>> 1, rows, lent)
        group &+= 1
      }
      y = end
    }
  }

  /// Brings all rectangles of a region up to date.
  public mutating func compose(_ region: PixelRegion, ink: borrowing InkPlanes) {
    for index in 0..<region.count { compose(region[index], ink: ink) }
  }

  /// Sixteen columns of a tile.
  @inline(__always)
  private func compose(half: Int, of index: Int, _ rows: UInt32, _ tiles: InkTiles.Lent) {
    let state = unsafe tiles.states[index]
    var inked = self.inked[index, half: half] & ~rows
    var left = (state.page | state.stroke | state.tail) & rows
    let layers = unsafe tiles.bytes + (index &* InkTiles.tileSize &+ half &* 16)
    let picture = unsafe self.inked.tile(index) + half &* 64
    let painted = ground.painted(index)
    while left != 0 {
      let row = left.trailingZeroBitCount
      let bit = left & (0 &- left)
      left ^= bit
      let coverage = unsafe InkTiles.visible(layers + row &* InkTiles.side, state, bit)
      if coverage.isZero { continue }
      inked |= bit
      let out = unsafe picture + row &* (4 &* InkTiles.side)
      if let painted {
        let below = painted.load(row &* InkTiles.side &+ half &* 16)
        unsafe out.storeBytes(of: palette.pixels(coverage, over: below), as: SIMD16<UInt32>.self)
      } else {
        unsafe out.storeBytes(of: palette.pixels(coverage), as: SIMD16<UInt32>.self)
      }
    }
    self.inked[index, half: half] = inked
  }
}
