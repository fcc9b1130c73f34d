extension Canvas {
  /// Brings a rectangle up to date: the ground, covered with the visible ink.
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
      var group = left
      while group < right {
        compose(group: group, row: y & ~31, rows, lent)
        group &+= 1
      }
      y = end
    }
  }

  /// Brings all rectangles of a region up to date.
  public mutating func compose(_ region: PixelRegion, ink: borrowing InkPlanes) {
    for index in 0..<region.count { compose(region[index], ink: ink) }
  }

  /// Sixteen columns of a tile, whose first row is `top`. Rows without ink are written only if they
  /// show something else, which spares the memory around thin ink.
  @inline(__always)
  private func compose(group: Int, row top: Int, _ rows: UInt32, _ tiles: InkTiles.Lent) {
    let index = (top &>> 5) &* ground.columns &+ group &>> 1
    let state = unsafe tiles.states[index]
    var shown = ground.shown(index, half: group & 1)
    var left = (state.page | state.stroke | state.tail | shown) & rows
    guard left != 0 else { return }
    let first = (group & 1) &* 16
    let layers = unsafe tiles.bytes + (index &* InkTiles.tileSize &+ first)
    let picture = unsafe memory + (top &* stride &+ group &* 16)
    let painted = ground.painted(index)
    while left != 0 {
      let row = left.trailingZeroBitCount
      let bit = left & (0 &- left)
      left ^= bit
      let coverage = unsafe InkTiles.visible(layers + row &* InkTiles.side, state, bit)
      let out = unsafe UnsafeMutableRawPointer(picture + row &* stride)
      if coverage.isZero {
        guard shown & bit != 0 else { continue }
        shown ^= bit
        let below = painted?.load(row &* InkTiles.side &+ first)
        unsafe out.storeBytes(
          of: below ?? SIMD16(repeating: palette.ground), as: SIMD16<UInt32>.self)
        continue
      }
      shown |= bit
      if let painted {
        let below = painted.load(row &* InkTiles.side &+ first)
        unsafe out.storeBytes(of: palette.pixels(coverage, over: below), as: SIMD16<UInt32>.self)
      } else {
        unsafe out.storeBytes(of: palette.pixels(coverage), as: SIMD16<UInt32>.self)
      }
    }
    ground.show(shown, index, half: group & 1)
  }
}
