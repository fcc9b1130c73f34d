/// A point of a stroke's centre line and how wide the ink is there.
public struct WeightedPoint: BitwiseCopyable, Sendable, Equatable {
  /// Millimetres on the glass.
  public var position: Point
  /// Full width of the ink in millimetres.
  public var weight: Float

  /// A point of the given width.
  @inlinable public init(_ position: Point, weight: Float) {
    self.position = position
    self.weight = weight
  }
}
