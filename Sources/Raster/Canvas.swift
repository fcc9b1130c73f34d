public import Ink

/// The picture of the panel in ordinary memory, XRGB8888 (`DRM_FORMAT_XRGB8888`: 0xFFRRGGBB): a ground
/// with a static picture painted on it, and ink over both.
///
/// Kept are the static picture, in the tiles of 32 × 32 pixels that it reaches, and what ink looks like,
/// where it is seen; elsewhere the ground is one colour and costs no memory, or a `GroundPicture` that is
/// shared.
@safe public struct Canvas: ~Copyable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int

  var ground: Ground
  private(set) var inked: InkedPixels
  var palette: InkPalette
  var rasteriser = Rasteriser()

  /// A canvas of one colour.
  ///
  /// - Parameters:
  ///   - ground: Colour of the paper, 0xRRGGBB.
  ///   - ink: Colour of the ink, 0xRRGGBB.
  public init(width: Int, height: Int, ground: UInt32 = 0xFFFFFF, ink: UInt32 = 0) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    self.ground = Ground(width: width, height: height)
    inked = InkedPixels(tiles: self.ground.tiles)
    palette = InkPalette(ground: ground | 0xFF00_0000, ink: ink | 0xFF00_0000)
  }

  /// The whole canvas.
  public var rect: PixelRect { PixelRect(width: width, height: height) }

  /// Gives back what a canvas on which no ink is seen holds of ink that is gone, and the room of large shapes.
  public mutating func releaseMemory() {
    guard inked.isEmpty else { return }
    inked = InkedPixels(tiles: ground.tiles)
    rasteriser = Rasteriser()
  }

  /// Makes the ground one colour, or a picture as large as the canvas over it; what was painted is gone.
  /// Where ink is seen, `compose` shows it.
  public mutating func fillGround(_ colour: UInt32, under picture: GroundPicture? = nil) {
    precondition(picture.map { $0.width == width && $0.height == height } ?? true)
    ground.clear(to: picture)
    palette = InkPalette(ground: colour | 0xFF00_0000, ink: palette.ink)
  }

  /// Paints a shape on the ground; returns the rectangle that `compose` has to bring up to date.
  ///
  /// - Parameters:
  ///   - shape: Closed contours in millimetres.
  ///   - colour: 0xRRGGBB.
  ///   - scale: Pixels per millimetre.
  ///   - offset: Pixels by which the shape's origin lies right of and below the canvas's.
  @discardableResult
  public mutating func fillGround(
    _ shape: borrowing Path, _ colour: UInt32, scale: Scale, offset: SIMD2<Float> = .zero
  ) -> PixelRect {
    rasteriser.fill(
      shape, scale: scale, offset: offset, clip: rect,
      into: ground.sink(colour | 0xFF00_0000, plain: palette.ground))
  }

  /// Makes a rectangle of the ground one colour; returns the rectangle that `compose` has to bring up
  /// to date.
  @discardableResult
  public mutating func fillGround(_ area: PixelRect, _ colour: UInt32) -> PixelRect {
    let inside = area.intersection(rect)
    guard !inside.isEmpty else { return .empty }
    ground.fill(inside, colour | 0xFF00_0000, plain: palette.ground)
    return inside
  }

  /// Takes away what was painted on the ground in a rectangle; returns the rectangle that `compose` has
  /// to bring up to date.
  public mutating func clearGround(_ area: PixelRect) -> PixelRect {
    let inside = area.intersection(rect)
    guard !inside.isEmpty else { return .empty }
    ground.erase(inside, plain: palette.ground)
    return inside
  }
}

/// The memory is owned alone.
extension Canvas: @unchecked Sendable {}
