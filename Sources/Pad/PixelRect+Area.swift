internal import Raster

extension PixelRect {
  /// All pixels that an area on the glass touches.
  init(around area: Area, scale: Scale) {
    let (from, to) = (scale.pixels(area.origin), scale.pixels(area.end))
    self.init(
      Int32(from.x.rounded(.down)), Int32(from.y.rounded(.down)),
      Int32(to.x.rounded(.up)), Int32(to.y.rounded(.up)))
  }

  /// The pixels that come nearest to an area on the glass: at least one.
  init(nearest area: Area, scale: Scale) {
    let (from, to) = (scale.pixels(area.origin), scale.pixels(area.end))
    let (x, y) = (Int32(from.x.rounded()), Int32(from.y.rounded()))
    self.init(x, y, max(Int32(to.x.rounded()), x + 1), max(Int32(to.y.rounded()), y + 1))
  }
}
