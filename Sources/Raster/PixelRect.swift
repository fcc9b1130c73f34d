/// A rectangle of pixels; the right and bottom bounds are exclusive, as in `drm_mode_rect`.
public struct PixelRect: BitwiseCopyable, Sendable, Equatable {
  /// First column and row, and the first beyond.
  public var x0, y0, x1, y1: Int32

  /// From the left and top edge to before the right and bottom one.
  @inlinable public init(_ x0: Int32, _ y0: Int32, _ x1: Int32, _ y1: Int32) {
    self.x0 = x0
    self.y0 = y0
    self.x1 = x1
    self.y1 = y1
  }

  /// The whole of a raster.
  @inlinable public init(width: Int, height: Int) {
    self.init(0, 0, Int32(truncatingIfNeeded: width), Int32(truncatingIfNeeded: height))
  }

  /// No pixel; the neutral element of `union`.
  public static let empty = PixelRect(0, 0, 0, 0)

  /// Whether there is no pixel in it.
  @inlinable public var isEmpty: Bool { x0 >= x1 || y0 >= y1 }
  /// Columns.
  @inlinable public var width: Int { Int(max(0, x1 &- x0)) }
  /// Rows.
  @inlinable public var height: Int { Int(max(0, y1 &- y0)) }
  /// Pixels.
  @inlinable public var area: Int { width * height }

  /// The smallest rectangle around both.
  @inlinable public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelRect(
      min(x0, other.x0), min(y0, other.y0), max(x1, other.x1), max(y1, other.y1))
  }

  /// What both have.
  @inlinable public func intersection(_ other: PixelRect) -> PixelRect {
    let rect = PixelRect(
      max(x0, other.x0), max(y0, other.y0), min(x1, other.x1), min(y1, other.y1))
    return rect.isEmpty ? .empty : rect
  }
}
