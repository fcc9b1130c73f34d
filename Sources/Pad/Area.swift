public import Ink

/// A rectangle on the glass, in millimetres.
public struct Area: Equatable, Sendable {
  /// Its left top corner.
  public var origin: Point
  /// Width and height.
  public var size: Point

  /// From a corner and a size.
  public init(x: Float, y: Float, width: Float, height: Float) {
    origin = Point(x, y)
    size = Point(width, height)
  }

  /// The corner opposite to the origin.
  public var end: Point { origin + size }
  /// Its middle.
  public var centre: Point { origin + size / 2 }

  /// Whether a point lies in it.
  public func contains(_ point: Point) -> Bool {
    point.x >= origin.x && point.y >= origin.y && point.x < end.x && point.y < end.y
  }

  /// Its mirror image within a row.
  func mirrored(in row: Area) -> Area {
    moved(to: Point(row.origin.x + row.end.x - end.x, origin.y))
  }

  /// The same at another place.
  func moved(to origin: Point) -> Area {
    Area(x: origin.x, y: origin.y, width: size.x, height: size.y)
  }

  /// Whether they have more than an edge in common.
  func overlaps(_ other: Area) -> Bool {
    min(end.x, other.end.x) > max(origin.x, other.origin.x) + 0.001
      && min(end.y, other.end.y) > max(origin.y, other.origin.y) + 0.001
  }

  /// Whether another one is all in it.
  func holds(_ other: Area) -> Bool {
    other.origin.x >= origin.x - 0.001 && other.origin.y >= origin.y - 0.001
      && other.end.x <= end.x + 0.001 && other.end.y <= end.y + 0.001
  }

  /// The smallest area around both.
  func union(_ other: Area) -> Area {
    let x = min(origin.x, other.origin.x)
    let y = min(origin.y, other.origin.y)
    return Area(
      x: x, y: y, width: max(end.x, other.end.x) - x, height: max(end.y, other.end.y) - y)
  }
}
