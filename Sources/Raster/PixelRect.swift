public import Ink

/// The density of a raster in pixels per millimetre, for each axis.
///
/// It is the only link between ink and pixels.
public struct Scale: BitwiseCopyable, Sendable, Equatable {
  /// Pixels per millimetre along x.
  public var x: Float
  /// Pixels per millimetre along y.
  public var y: Float

  /// Creates a scale from the densities of both axes.
  @inlinable public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }

  /// Creates a scale from one density in dots per inch.
  @inlinable public init(dpi: Float) { self.init(x: dpi / 25.4, y: dpi / 25.4) }

  /// The density along x in dots per inch.
  @inlinable public var dpi: Float { x * 25.4 }

  /// Converts millimetres to pixels.
  @inlinable public func pixels(_ point: Point) -> SIMD2<Float> { point * SIMD2(x, y) }
}

/// A rectangle of pixels; its right and bottom bounds are exclusive, as in `drm_mode_rect`.
public struct PixelRect: BitwiseCopyable, Sendable, Equatable {
  /// The first column and row, and the first ones beyond.
  public var x0, y0, x1, y1: Int32

  /// Creates a rectangle from its left, top, right and bottom bound.
  @inlinable public init(_ x0: Int32, _ y0: Int32, _ x1: Int32, _ y1: Int32) {
    self.x0 = x0
    self.y0 = y0
    self.x1 = x1
    self.y1 = y1
  }

  /// Creates the rectangle of a whole raster.
  @inlinable public init(width: Int, height: Int) {
    self.init(0, 0, Int32(truncatingIfNeeded: width), Int32(truncatingIfNeeded: height))
  }

  /// No pixel; the neutral element of `union`.
  public static let empty = PixelRect(0, 0, 0, 0)

  /// Whether the rectangle has no pixel.
  @inlinable public var isEmpty: Bool { x0 >= x1 || y0 >= y1 }
  /// The number of columns.
  @inlinable public var width: Int { Int(max(0, x1 &- x0)) }
  /// The number of rows.
  @inlinable public var height: Int { Int(max(0, y1 &- y0)) }
  /// The number of pixels.
  @inlinable public var area: Int { width * height }

  /// The smallest rectangle that contains both.
  @inlinable public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelRect(
      min(x0, other.x0), min(y0, other.y0), max(x1, other.x1), max(y1, other.y1))
  }

  /// The pixels that are in both.
  @inlinable public func intersection(_ other: PixelRect) -> PixelRect {
    let rect = PixelRect(
      max(x0, other.x0), max(y0, other.y0), min(x1, other.x1), min(y1, other.y1))
    return rect.isEmpty ? .empty : rect
  }
}

/// The points of an outline in pixels.
@safe @usableFromInline struct TransformedPoints: ~Copyable {
  /// The number of points that fit.
  static let capacity = 2048
  /// The largest coordinate at which `Float` distinguishes neighbouring pixels.
  private static let limit: Float = 0x1p24
  /// The farthest that a curve's steps lie above its points, in pixels.
  ///
  /// It is a few units of `EdgeFlattener`.
  /// Beside and below, an outline's cells have a free margin.
  private static let rounding: Float = 1 / 64

  let points: UnsafeMutablePointer<SIMD2<Float>>
  /// Whether all points of the outline fit.
  private(set) var isComplete = false

  init() {
    // Points are written in pairs.
    unsafe points = .allocate(capacity: TransformedPoints.capacity + 1)
  }

  @usableFromInline deinit { unsafe points.deallocate() }

  /// Transforms the points of an outline.
  ///
  /// - Returns: The pixels that they span; nil without points, or if one is not finite or beyond 2²⁴.
  @inline(__always)
  mutating func transform(
    _ outline: Span<Point>, scale: Scale, offset: SIMD2<Float>
  ) -> PixelRect? {
    let count = outline.count
    guard count > 0 else { return nil }
    isComplete = count <= TransformedPoints.capacity
    let factor = SIMD4(scale.x, scale.y, scale.x, scale.y)
    let offset = SIMD4(lowHalf: offset, highHalf: offset)
    let writable = isComplete ? TransformedPoints.capacity : 0
    let last = SIMD4(lowHalf: outline[count &- 1], highHalf: outline[count &- 1]) * factor + offset
    var low = last
    var high = last
    // Becomes NaN with the first coordinate that is not finite.
    var check = last - last
    var index = 0
    while index &+ 1 < count {
      let pair = SIMD4(lowHalf: outline[index], highHalf: outline[index &+ 1]) * factor + offset
      low = low.replacing(with: pair, where: pair .< low)
      high = high.replacing(with: pair, where: pair .> high)
      check += pair - pair
      if index < writable {
        unsafe UnsafeMutableRawPointer(points + index).storeBytes(of: pair, as: SIMD4<Float>.self)
      }
      index &+= 2
    }
    if isComplete { unsafe points[count &- 1] = last.lowHalf }
    guard check == .zero else { return nil }
    return TransformedPoints.rect(
      low.lowHalf.replacing(with: low.highHalf, where: low.highHalf .< low.lowHalf),
      high.lowHalf.replacing(with: high.highHalf, where: high.highHalf .> high.lowHalf))
  }

  @inline(__always)
  private static func rect(_ low: SIMD2<Float>, _ high: SIMD2<Float>) -> PixelRect? {
    guard low.x > -limit, low.y > -limit, high.x < limit, high.y < limit else { return nil }
    return PixelRect(
      floor(low.x), floor(low.y - rounding), floor(high.x) &+ 1, floor(high.y) &+ 1)
  }

  /// Rounds down without `rounded(.down)`, which is a call into libm without SSE 4.1.
  @inline(__always)
  private static func floor(_ value: Float) -> Int32 {
    let towardsZero = Int32(value)
    return Float(towardsZero) > value ? towardsZero &- 1 : towardsZero
  }
}
