import Ink

/// The points of an outline in pixels.
@safe @usableFromInline struct CornerBuffer: ~Copyable {
  /// Points for which there is room.
  static let capacity = 2048
  /// Beyond as many pixels neighbours cannot be told apart.
  private static let limit: Float = 0x1p24
  /// By less than this, in pixels, the steps of a curve lie above its points: some units of `StepBuffer`, by
  /// which sums are rounded. Beside and below the cells of an outline there are free ones.
  private static let rounding: Float = 1 / 64

  let points: UnsafeMutablePointer<SIMD2<Float>>
  /// Whether there was room for all points of the outline.
  private(set) var isWhole = false

  init() {
    // Points are written in pairs.
    unsafe points = .allocate(capacity: CornerBuffer.capacity + 1)
  }

  @usableFromInline deinit { unsafe points.deallocate() }

  /// Places the points of an outline.
  ///
  /// - Returns: The pixels that they reach; nil if there are none, or if a point is no number or
  ///   beyond the limit.
  @inline(__always)
  mutating func take(_ outline: Span<Point>, scale: Scale, offset: SIMD2<Float>) -> PixelRect? {
    let count = outline.count
    guard count > 0 else { return nil }
    isWhole = count <= CornerBuffer.capacity
    let factor = SIMD4(scale.x, scale.y, scale.x, scale.y)
    let offset = SIMD4(lowHalf: offset, highHalf: offset)
    let room = isWhole ? CornerBuffer.capacity : 0
    let last = SIMD4(lowHalf: outline[count &- 1], highHalf: outline[count &- 1]) * factor + offset
    var low = last
    var high = last
    // No number as soon as a coordinate is none or infinite.
    var check = last - last
    var index = 0
    while index &+ 1 < count {
      let pair = SIMD4(lowHalf: outline[index], highHalf: outline[index &+ 1]) * factor + offset
      low = low.replacing(with: pair, where: pair .< low)
      high = high.replacing(with: pair, where: pair .> high)
      check += pair - pair
      if index < room {
        unsafe UnsafeMutableRawPointer(points + index).storeBytes(of: pair, as: SIMD4<Float>.self)
      }
      index &+= 2
    }
    if isWhole { unsafe points[count &- 1] = last.lowHalf }
    guard check == .zero else { return nil }
    return CornerBuffer.rect(
      low.lowHalf.replacing(with: low.highHalf, where: low.highHalf .< low.lowHalf),
      high.lowHalf.replacing(with: high.highHalf, where: high.highHalf .> high.lowHalf))
  }

  @inline(__always)
  private static func rect(_ low: SIMD2<Float>, _ high: SIMD2<Float>) -> PixelRect? {
    guard low.x > -limit, low.y > -limit, high.x < limit, high.y < limit else { return nil }
    return PixelRect(
      floor(low.x), floor(low.y - rounding), floor(high.x) &+ 1, floor(high.y) &+ 1)
  }

  /// Without the call into the C library that `rounded(.down)` is where SSE 4.1 may not be used.
  @inline(__always)
  private static func floor(_ value: Float) -> Int32 {
    let towardsZero = Int32(value)
    return Float(towardsZero) > value ? towardsZero &- 1 : towardsZero
  }
}
