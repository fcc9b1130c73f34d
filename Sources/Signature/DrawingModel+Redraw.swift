public import Ink
public import Raster

extension DrawingModel {
  /// The sheet changes its size, its density or where the ink lies on it: everything is drawn again
  /// from the strokes, and nothing is stretched. All of the new sheet is to be composed. A stroke that
  /// is being drawn goes on.
  ///
  /// - Parameters:
  ///   - width: In pixels, as `height`.
  ///   - change: What becomes of each stroke, for example `turned(clockwise:on:)`.
  public mutating func redraw(
    width: Int, height: Int, scale: Scale, offset: SIMD2<Float> = .zero,
    _ change: (Stroke) -> Stroke = { $0 }
  ) {
    let strokes = store.strokes().map(change)
    let open = isDrawing ? strokes.last : nil
    let ground = self.ground
    reset(width: width, height: height, scale: scale, offset: offset)
    if let ground { _ = start(on: ground) }
    for stroke in open == nil ? strokes : strokes.dropLast() { draw(stroke) }
    if let open { _ = feed(open) }
  }

  /// A clean sheet that has ink already: a signature of which there is no more than a picture. It lies
  /// under all strokes, and no stroke of the hand takes it away. Returns what changed.
  public mutating func start(on ground: InkPicture) -> PixelRect {
    let damage = wipe()
    self.ground = ground
    return damage.union(layGround())
  }

  /// The sheet as it is now, with the tail of a stroke that is being drawn.
  public func picture() -> InkPicture {
    let rect = PixelRect(width: planes.width, height: planes.height)
    return InkPicture(
      drawn: planes.coverage(of: rect), width: rect.width, height: rect.height, scale: scale,
      left: -Int(PixelRect.wholePixels(offset.x)), top: -Int(PixelRect.wholePixels(offset.y)))
  }
}
