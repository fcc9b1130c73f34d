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
}
