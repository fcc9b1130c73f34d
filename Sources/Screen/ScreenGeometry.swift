public import Ink
public import Raster

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
