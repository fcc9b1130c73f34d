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

  /// The same from the right of a glass of this width.
  func mirrored(in width: Float) -> Area {
    Area(x: width - end.x, y: origin.y, width: size.x, height: size.y)
  }

  /// The smallest area around both.
  func union(_ other: Area) -> Area {
    let x = min(origin.x, other.origin.x)
    let y = min(origin.y, other.origin.y)
    return Area(
      x: x, y: y, width: max(end.x, other.end.x) - x, height: max(end.y, other.end.y) - y)
  }
}
