public import Ink
public import Raster

/// A rectangle on the glass, in millimetres.
public struct Area: Equatable, Sendable {
  /// The top left corner.
  public var origin: Point
  /// Width and height.
  public var size: Point

  /// A rectangle with its top left corner at (`x`, `y`).
  public init(x: Float, y: Float, width: Float, height: Float) {
    origin = Point(x, y)
    size = Point(width, height)
  }

  /// The bottom right corner.
  public var end: Point { origin + size }
  /// The middle.
  public var centre: Point { origin + size / 2 }

  /// Whether a point lies inside. The top and left edges belong to the area, the others do not.
  public func contains(_ point: Point) -> Bool {
    point.x >= origin.x && point.y >= origin.y && point.x < end.x && point.y < end.y
  }

  /// Whether another area lies inside, within 1 µm.
  func contains(_ other: Area) -> Bool {
    other.origin.x >= origin.x - 0.001 && other.origin.y >= origin.y - 0.001
      && other.end.x <= end.x + 0.001 && other.end.y <= end.y + 0.001
  }

  /// Whether two areas overlap by more than 1 µm.
  func overlaps(_ other: Area) -> Bool {
    min(end.x, other.end.x) > max(origin.x, other.origin.x) + 0.001
      && min(end.y, other.end.y) > max(origin.y, other.origin.y) + 0.001
  }

  /// The smallest area that contains both.
  func union(_ other: Area) -> Area {
    let x = min(origin.x, other.origin.x)
    let y = min(origin.y, other.origin.y)
    return Area(
      x: x, y: y, width: max(end.x, other.end.x) - x, height: max(end.y, other.end.y) - y)
  }

  /// The same size with another origin.
  func moved(to origin: Point) -> Area {
    Area(x: origin.x, y: origin.y, width: size.x, height: size.y)
  }

  /// The mirror image, left to right, within a row.
  func mirrored(in row: Area) -> Area {
    moved(to: Point(row.origin.x + row.end.x - end.x, origin.y))
  }
}

extension PixelRect {
  /// All pixels that an area touches.
  init(around area: Area, scale: Scale) {
    let (from, to) = (scale.pixels(area.origin), scale.pixels(area.end))
    self.init(
      Int32(from.x.rounded(.down)), Int32(from.y.rounded(.down)),
      Int32(to.x.rounded(.up)), Int32(to.y.rounded(.up)))
  }

  /// The pixels nearest to an area, at least one by one.
  init(nearest area: Area, scale: Scale) {
    let (from, to) = (scale.pixels(area.origin), scale.pixels(area.end))
    let (x, y) = (Int32(from.x.rounded()), Int32(from.y.rounded()))
    self.init(x, y, max(Int32(to.x.rounded()), x + 1), max(Int32(to.y.rounded()), y + 1))
  }
}

/// The size of a panel and its pixels, as the viewer sees it.
public struct ScreenGeometry: Sendable {
  /// In pixels.
  public let width: Int, height: Int
  /// Pixels per millimetre. Pixels need not be square.
  public let scale: Scale

  /// A panel of `width` × `height` pixels.
  public init(width: Int, height: Int, scale: Scale) {
    (self.width, self.height, self.scale) = (width, height, scale)
  }

  /// Width and height of the visible glass, in millimetres.
  public var glass: Point { Point(Float(width) / scale.x, Float(height) / scale.y) }
}
