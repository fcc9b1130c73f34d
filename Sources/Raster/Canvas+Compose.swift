extension Canvas {
  /// Brings a rectangle up to date: the ground, covered with the visible ink.
  ///
  /// - Parameters:
  ///   - rect: What changed; parts beyond the canvas are ignored.
  ///   - ink: As large as the canvas.
  public mutating func compose(_ rect: PixelRect, ink: borrowing InkPlanes) {
    precondition(ink.width == width && ink.height == height)
    let area = rect.intersection(self.rect)
    guard !area.isEmpty else { return }
    let tiles = ink.tiles.lent
    var y = Int(area.y0)
    while y < Int(area.y1) {
      var x = Int(area.x0)
      while x < Int(area.x1) {
        let end = min((x | 15) &+ 1, Int(area.x1))
        compose(y, x, end, tiles)
        x = end
      }
      y &+= 1
    }
  }

  /// Brings all rectangles of a region up to date.
  public mutating func compose(_ region: PixelRegion, ink: borrowing InkPlanes) {
    for index in 0..<region.count { compose(region[index], ink: ink) }
  }

  /// Up to 16 pixels, within one group of 16.
  @inline(__always)
  private mutating func compose(_ y: Int, _ x: Int, _ end: Int, _ tiles: InkTiles.Lent) {
    let index = (y >> 5) &* ground.columns &+ (x >> 5)
    let at = (y & 31) &* 32
    let out = unsafe memory + y &* stride
    let base = ground.lent
    let coverage = tiles.visible(index, at &+ (x & 16))
    let painted = unsafe base.painted[index]
    for column in x..<end {
      let covered = UInt32(truncatingIfNeeded: coverage[column & 15])
      if painted {
        let below = unsafe base.colours[index &* Ground.tileArea &+ at &+ (column & 31)]
        unsafe out[column] = InkPalette.blend(below, palette.ink, covered)
      } else {
        unsafe out[column] = palette.colours[Int(covered)]
      }
    }
  }
}
