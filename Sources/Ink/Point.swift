/// A place on the glass, or a vector: millimetres, origin top left, x right, y down.
public typealias Point = SIMD2<Float>

extension Point {
  /// Length of the vector, without overflow inside the panel's range.
  @inlinable public var length: Float { (x * x + y * y).squareRoot() }

  /// The vector turned by a quarter towards the right hand (y down): (dx, dy) → (dy, −dx) is its negative.
  @inlinable public var normal: Point { Point(-y, x) }
  @inline(__always) var left: Point { Point(y, -x) }

  /// The scalar product.
  @inline(__always) func dot(_ other: Point) -> Float { x * other.x + y * other.y }
}
