public import Ink

/// Pixels per millimetre, for each axis: the only bridge between the ink and a raster.
public struct Scale: BitwiseCopyable, Sendable, Equatable {
  /// Pixels per millimetre along x.
  public var x: Float
  /// Pixels per millimetre along y.
  public var y: Float

  /// Different densities per axis.
  @inlinable public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }

  /// The same density on both axes.
  @inlinable public init(dpi: Float) { self.init(x: dpi / 25.4, y: dpi / 25.4) }

  /// Dots per inch along x.
  @inlinable public var dpi: Float { x * 25.4 }

  /// Millimetres → pixels.
  @inlinable public func pixels(_ point: Point) -> SIMD2<Float> { point * SIMD2(x, y) }
}
