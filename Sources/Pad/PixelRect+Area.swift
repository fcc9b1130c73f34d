internal import Raster

extension PixelRect {
  /// All pixels that an area on the glass touches.
  init(around area: Area, scale: Scale) {
    let (from, to) = (scale.pixels(area.origin), scale.pixels(area.end))
    self.init(
      Int32(from.x.rounded(.down)), Int32(from.y.rounded(.down)),
      Int32(to.x.rounded(.up)), Int32(to.y.rounded(.up)))
  }
}
