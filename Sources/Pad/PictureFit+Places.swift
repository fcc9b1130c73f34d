internal import Configuration
internal import Ink
internal import Raster

extension ThemeConfiguration.PictureFit {
  /// Which part of a picture is shown, in its pixels, and where on the glass, in the panel's. Pixels of a
  /// picture are squares; those of a panel may be none.
  func places(_ size: Point, _ panel: PanelFacts) -> (part: Area, target: PixelRect) {
    let glass = panel.glass
    let all = PixelRect(width: panel.width, height: panel.height)
    switch self {
    case .cover:
      let part = glass / max(glass.x / size.x, glass.y / size.y)
      let corner = (size - part) / 2
      return (Area(x: corner.x, y: corner.y, width: part.x, height: part.y), all)
    case .fit:
      let shown = size * min(glass.x / size.x, glass.y / size.y)
      let corner = (glass - shown) / 2
      let area = Area(x: corner.x, y: corner.y, width: shown.x, height: shown.y)
      return (
        Area(x: 0, y: 0, width: size.x, height: size.y),
        PixelRect(nearest: area, scale: panel.scale)
      )
    case .centre:
      let (width, height) = (Int32(size.x), Int32(size.y))
      let (x, y) = ((Int32(panel.width) - width) / 2, (Int32(panel.height) - height) / 2)
      let target = PixelRect(x, y, x + width, y + height).intersection(all)
      let part = Area(
        x: Float(target.x0 - x), y: Float(target.y0 - y), width: Float(target.width),
        height: Float(target.height))
      return (part, target)
    }
  }
}
