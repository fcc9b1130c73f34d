public import Raster

extension InkPicture {
  /// The same ink at another density, for a ground of which there are no strokes: every pixel is the
  /// mean of what it covers. Ink that is known as strokes is drawn anew instead.
  public func resampled(to target: Scale) throws(Refusal) -> InkPicture {
    if target == scale { return self }
    let (x, y) = (target.x / scale.x, target.y / scale.y)
    // Where it lies counts as well: a Float has to hold every pixel.
    let (right, bottom) = (Float(abs(left) + width + 1) * x, Float(abs(top) + height + 1) * y)
    guard x > 0, y > 0,
      Float(width + 2) * x * (Float(height + 2) * y) <= Float(InkPicture.pixelLimit),
      max(right, bottom) < 16_777_216
    else { throw .tooLarge }
    let columns = Footprint.all(from: left, count: width, ratio: scale.x / target.x)
    let rows = Footprint.all(from: top, count: height, ratio: scale.y / target.y)
    var result = [UInt8](repeating: 0, count: columns.items.count * rows.items.count)
    var wide = [Float](repeating: 0, count: columns.items.count * height)
    for y in 0..<height {
      for (index, column) in columns.items.enumerated() {
        wide[y * columns.items.count + index] = column.mean { Float(coverage[y * width + $0]) }
      }
    }
    for (index, row) in rows.items.enumerated() {
      for x in columns.items.indices {
        let mean = row.mean { wide[$0 * columns.items.count + x] }
        result[index * columns.items.count + x] = UInt8(min(255, mean.rounded()))
      }
    }
    return InkPicture(
      drawn: result, width: columns.items.count, height: rows.items.count, scale: target,
      left: columns.first, top: rows.first)
  }
}

/// What a pixel of the new picture covers of the old one, along one axis.
private struct Footprint {
  /// In pixels of the old picture, of which there are `count`.
  let from: Float, to: Float
  let count: Int
  /// The old pixels that a new one is wide.
  let ratio: Float

  /// The new pixels that the old ones, from the glass's pixel `start` on, reach; `first` is the
  /// glass's pixel that the first of them is.
  static func all(from start: Int, count: Int, ratio: Float) -> (first: Int, items: [Footprint]) {
    let first = Int((Float(start) / ratio).rounded(.down))
    let end = Int((Float(start + count) / ratio).rounded(.up))
    let items = (first..<max(end, first + 1)).map { index in
      Footprint(
        from: Float(index) * ratio - Float(start), to: Float(index + 1) * ratio - Float(start),
        count: count, ratio: ratio)
    }
    return (first, items)
  }

  /// The mean over the whole footprint; beyond the old picture is paper.
  func mean(_ value: (Int) -> Float) -> Float {
    let low = max(from, 0)
    let high = min(to, Float(count))
    guard low < high else { return 0 }
    var sum: Float = 0
    for index in Int(low)..<min(count, Int(high.rounded(.up))) {
      sum += value(index) * (min(high, Float(index + 1)) - max(low, Float(index)))
    }
    return sum / ratio
  }
}
