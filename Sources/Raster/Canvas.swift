public import Ink

/// The picture of the panel in ordinary memory: a painted ground with ink over it.
///
/// Pixels are XRGB8888 (`DRM_FORMAT_XRGB8888`: 0xFFRRGGBB). The canvas stores what is painted on the ground,
/// in tiles of 32 × 32 pixels, and the pixels that show ink. Elsewhere the ground is one colour, which uses
/// no memory, or a shared `GroundPicture`. A page that scrolls covers both.
@safe public struct Canvas: ~Copyable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int

  private(set) var ground: Ground
  private(set) var inked: InkedPixels
  private var page = PageRows()
  private var palette: InkPalette
  private var rasteriser = Rasteriser()
  /// Whether the ground is shown without the ink. The pixels change with the next `compose`.
  public var hidesInk = false

  /// Creates a canvas of one colour.
  ///
  /// - Parameters:
  ///   - ground: The colour of the paper, 0xRRGGBB.
  ///   - ink: The colour of the ink, 0xRRGGBB.
  public init(width: Int, height: Int, ground: UInt32 = 0xFFFFFF, ink: UInt32 = 0) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    self.ground = Ground(width: width, height: height)
    inked = InkedPixels(tiles: self.ground.tiles)
    palette = InkPalette(ground: ground | 0xFF00_0000, ink: ink | 0xFF00_0000)
  }

  /// The rectangle of the whole canvas.
  public var rect: PixelRect { PixelRect(width: width, height: height) }

  /// Composes the pixels of a rectangle from ground and ink.
  ///
  /// May also compose pixels on its left and right, as groups of sixteen columns are processed at once.
  ///
  /// - Parameters:
  ///   - rect: The rectangle; parts beyond the canvas are ignored.
  ///   - ink: Of the same size as the canvas.
  public mutating func compose(_ rect: PixelRect, ink: borrowing InkPlanes) {
    precondition(ink.width == width && ink.height == height)
    let area = rect.intersection(self.rect)
    guard !area.isEmpty else { return }
    let view = ink.tiles.view
    let (left, right) = (Int(area.x0) &>> 4, (Int(area.x1) &+ 15) &>> 4)
    let (top, bottom) = (Int(area.y0), Int(area.y1))
    var y = top
    while y < bottom {
      let end = min((y | 31) &+ 1, bottom)
      // One bit per row of the tile that lies in the rectangle.
      let rows =
        (UInt32.max &<< UInt32(truncatingIfNeeded: y & 31))
        & (UInt32.max &>> UInt32(truncatingIfNeeded: (0 &- end) & 31))
      let first = (y &>> 5) &* view.columns
      let picture = (y &>> 5) &* ground.columns
      var column = left
      while column < right {
        compose(
          first &+ column, rows, view, half: column & 1, of: picture &+ column &>> 1)
        column &+= 1
      }
      y = end
    }
  }

  /// Composes all rectangles of a region.
  public mutating func compose(_ region: PixelRegion, ink: borrowing InkPlanes) {
    for index in 0..<region.count { compose(region[index], ink: ink) }
  }

  /// Composes rows of a tile of ink, which is half a tile of the canvas.
  @inline(__always)
  private func compose(
    _ tile: Int, _ rows: UInt32, _ tiles: InkTiles.UnsafeView, half: Int, of index: Int
  ) {
    let state = unsafe tiles.states[tile]
    var left = hidesInk ? 0 : (state.page | state.stroke | state.tail) & rows
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

  /// Touches the pages for ink in a rectangle; pass what `InkPlanes.prefault` returns.
  public mutating func prefault(_ rect: PixelRect) {
    // A tile of ink is half a tile of the canvas.
    InkTiles.forEach(in: rect.intersection(self.rect), columns: 2 * ground.columns) { half in
      inked.prefault(half / 2)
    }
  }

  /// Releases the memory of removed ink and of large shapes if no ink is visible.
  public mutating func releaseMemory() {
    guard inked.isEmpty else { return }
    inked = InkedPixels(tiles: ground.tiles)
    rasteriser = Rasteriser()
  }

  /// Fills the whole ground with a colour, 0xRRGGBB, or a picture over it.
  ///
  /// The picture has the canvas's size. Removes what was painted, and the page. Pixels that show
  /// ink change with the next `compose`.
  public mutating func fillGround(_ colour: UInt32, under picture: GroundPicture? = nil) {
    precondition(picture.map { $0.width == width && $0.height == height } ?? true)
    hidePage()
    ground.clear(to: picture)
    palette = InkPalette(ground: colour | 0xFF00_0000, ink: palette.ink)
  }

  /// Paints a shape on the ground; returns the rectangle to compose.
  ///
  /// - Parameters:
  ///   - shape: Closed contours in millimetres.
  ///   - colour: 0xRRGGBB.
  ///   - scale: Pixels per millimetre.
  ///   - offset: The position of the shape's origin on the canvas, in pixels.
  @discardableResult
  public mutating func fillGround(
    _ shape: borrowing Path, _ colour: UInt32, scale: Scale, offset: SIMD2<Float> = .zero
  ) -> PixelRect {
    rasteriser.fill(
      shape, scale: scale, offset: offset, clip: rect,
      into: ground.sink(colour | 0xFF00_0000, plain: palette.ground))
  }

  /// Paints a rectangle on the ground in one colour, 0xRRGGBB; returns the rectangle to compose.
  @discardableResult
  public mutating func fillGround(_ area: PixelRect, _ colour: UInt32) -> PixelRect {
    let inside = area.intersection(rect)
    guard !inside.isEmpty else { return .empty }
    ground.fill(inside, colour | 0xFF00_0000, plain: palette.ground)
    return inside
  }

  /// Shows a page that scrolls in a rectangle, above ground and ink, instead of the last one. It is black at first.
  ///
  /// - Parameter isGrey: Whether the page has no colours, which takes a third of the memory.
  public mutating func showPage(in area: PixelRect, isGrey: Bool) {
    // Frees the memory of the previous page before the new one is allocated.
    hidePage()
    page = PageRows(area.intersection(rect), isGrey: isGrey)
  }

  /// Removes the page.
  public mutating func hidePage() { page = PageRows() }

  /// Moves the page up, or down by a negative number of rows. Paint the rows that appear.
  public mutating func scrollPage(by rows: Int) { page.scroll(by: rows) }

  /// Paints a row of the page, which is a row of the canvas: a byte of grey for each pixel, or red, green and blue.
  ///
  /// Rows of another width or beyond the page, and coloured rows of a grey page, are ignored.
  public mutating func paintPage(_ pixels: Span<UInt8>, y: Int) { page.paint(pixels, y: y) }

  /// Removes what was painted in a rectangle; returns the rectangle to compose.
  public mutating func clearGround(_ area: PixelRect) -> PixelRect {
    let inside = area.intersection(rect)
    guard !inside.isEmpty else { return .empty }
    ground.erase(inside, plain: palette.ground)
    return inside
  }

  /// All pixels as last composed, row by row: 0xFFRRGGBB.
  public var pixels: [UInt32] {
    var pixels = [UInt32](repeating: 0, count: width * height)
    var output = pixels.mutableSpan
    copy(rect, to: &output, stride: width)
    return pixels
  }

  /// Copies the pixels of a rectangle within the canvas to the start of `output`.
  ///
  /// The output's rows are `stride` pixels apart. The output is never read: it may be a panel's
  /// frame buffer.
  @_lifetime(output: copy output)
  public func copy(_ rect: PixelRect, to output: inout MutableSpan<UInt32>, stride: Int) {
    guard !rect.isEmpty else { return }
    let (left, top) = (Int(rect.x0), Int(rect.y0))
    let (right, bottom) = (Int(rect.x1), Int(rect.y1))
    precondition(left >= 0 && top >= 0 && right <= width && bottom <= height)
    precondition(rect.width <= stride && (rect.height - 1) * stride + rect.width <= output.count)
    unsafe output.withUnsafeMutableBytes { output in
      guard let out = output.baseAddress else { return }
      let covered = rect.intersection(page.area)
      guard !covered.isEmpty else { return unsafe copyTiles(rect, to: out, stride: stride) }
      func place(_ part: PixelRect) -> UnsafeMutableRawPointer {
        unsafe out + 4 * (Int(part.y0 - rect.y0) * stride + Int(part.x0 - rect.x0))
      }
      unsafe page.copy(covered, to: place(covered), stride: stride)
      func copyAround(_ x0: Int32, _ y0: Int32, _ x1: Int32, _ y1: Int32) {
        let part = PixelRect(x0, y0, x1, y1)
        if !part.isEmpty { unsafe copyTiles(part, to: place(part), stride: stride) }
      }
      copyAround(rect.x0, rect.y0, rect.x1, covered.y0)
      copyAround(rect.x0, covered.y1, rect.x1, rect.y1)
      copyAround(rect.x0, covered.y0, covered.x0, covered.y1)
      copyAround(covered.x1, covered.y0, rect.x1, covered.y1)
    }
  }

  private func copyTiles(_ rect: PixelRect, to out: UnsafeMutableRawPointer, stride: Int) {
    let (left, top) = (Int(rect.x0), Int(rect.y0))
    let (right, bottom) = (Int(rect.x1), Int(rect.y1))
    // In memory, like all other pixels, so that one loop copies all rows.
    let plain = SIMD16(repeating: palette.ground)
    unsafe withUnsafeBytes(of: plain) { plain in
      guard let plain = plain.baseAddress else { return }
      var y = top
      while y < bottom {
        let end = min((y | 31) &+ 1, bottom)
        var x = left
        while x < right {
          // Stops at the end of the group of sixteen columns, or of the rectangle, whichever is
          // first.
          let stop = min((x | 15) &+ 1, right)
          let target = unsafe out + 4 &* (stride &* (y &- top) &+ x &- left)
          unsafe inked.block(x, y, over: ground, plain: plain)
            .copy(columns: stop &- x, rows: end &- y, to: target, pitch: 4 &* stride)
          x = stop
        }
        y = end
      }
    }
  }

  /// Copies `count` pixels of a row, from column `x` on, to the start of `output`.
  @_lifetime(output: copy output)
  public func copy(row y: Int, from x: Int, count: Int, to output: inout MutableSpan<UInt32>) {
    precondition(y >= 0 && y < height && x >= 0 && count >= 0 && x + count <= width)
    let (left, top) = (Int32(truncatingIfNeeded: x), Int32(truncatingIfNeeded: y))
    let right = Int32(truncatingIfNeeded: x + count)
    copy(PixelRect(left, top, right, top + 1), to: &output, stride: count)
  }

  /// Copies `count` pixels of a column, from row `y` on, to the start of `output`.
  @_lifetime(output: copy output)
  public func copy(column x: Int, from y: Int, count: Int, to output: inout MutableSpan<UInt32>) {
    let end = y + count
    precondition(x >= 0 && x < width && y >= 0 && end <= height && count <= output.count)
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let out = output.baseAddress else { return }
      for index in 0..<count { unsafe out[index] = pixel(x, y &+ index) }
    }
  }

  /// One pixel.
  public subscript(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return pixel(x, y)
  }

  @inline(__always)
  private func pixel(_ x: Int, _ y: Int) -> UInt32 {
    let area = page.area
    let isPage = x >= Int(area.x0) && x < Int(area.x1) && y >= Int(area.y0) && y < Int(area.y1)
    if isPage { return page[x, y] }
    return unsafe inked.address(x, y, over: ground)?.pointee ?? palette.ground
  }
}

/// The canvas is the only owner of its memory.
extension Canvas: @unchecked Sendable {}
