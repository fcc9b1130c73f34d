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
    let x0 = Int(area.x0) & ~15
    let x1 = (Int(area.x1) &+ 15) & ~15
    let (y0, y1) = (Int(area.y0), Int(area.y1))
    var top = y0
    while top < y1 {
      let bottom = min((top | 31) &+ 1, y1)
      var left = x0
      while left < x1 {
        let right = min((left | 31) &+ 1, x1)
        compose(columns: left..<right, rows: top..<bottom, ink.tiles.lent)
        left = right
      }
      top = bottom
    }
  }

  /// Brings all rectangles of a region up to date.
  public mutating func compose(_ region: PixelRegion, ink: borrowing InkPlanes) {
    for index in 0..<region.count { compose(region[index], ink: ink) }
  }

  /// Groups of sixteen columns within one tile.
  @inline(__always)
  private func compose(columns: Range<Int>, rows: Range<Int>, _ tiles: InkTiles.Lent) {
    let index = (rows.lowerBound &>> 5) &* ground.columns &+ columns.lowerBound &>> 5
    let state = unsafe tiles.states[index]
    let layers = unsafe tiles.bytes + index &* InkTiles.tileSize
    let painted = ground.painted(index)
    let plain = SIMD16(repeating: palette.ground)
    var y = rows.lowerBound
    while y < rows.upperBound {
      var x = columns.lowerBound
      while x < columns.upperBound {
        let at = (y & 31) &* 32 &+ x & 31
        let out = unsafe UnsafeMutableRawPointer(memory + (y &* stride &+ x))
        let coverage = unsafe InkTiles.visible(layers, state, at)
        if coverage.isZero {
          let below = painted?.load(at) ?? plain
          unsafe out.storeBytes(of: below, as: SIMD16<UInt32>.self)
        } else if let painted {
          let below = painted.load(at)
          unsafe out.storeBytes(
            of: palette.pixels(coverage.lowHalf, over: below.lowHalf), as: SIMD8<UInt32>.self)
          unsafe out.storeBytes(
            of: palette.pixels(coverage.highHalf, over: below.highHalf), toByteOffset: 32,
            as: SIMD8<UInt32>.self)
        } else {
          unsafe out.storeBytes(of: palette.pixels(coverage.lowHalf), as: SIMD8<UInt32>.self)
          unsafe out.storeBytes(
            of: palette.pixels(coverage.highHalf), toByteOffset: 32, as: SIMD8<UInt32>.self)
        }
        x &+= 16
      }
      y &+= 1
    }
  }
}
