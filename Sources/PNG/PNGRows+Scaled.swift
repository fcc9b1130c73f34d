public import Raster

extension PNGRows {
  /// Reads a part of the picture, scaled to another size, from the top. Two of its rows are held.
  ///
  /// - Parameters:
  ///   - columns: From the picture's columns to those that are wanted.
  ///   - lines: The same for its rows.
  ///   - body: Gets each row's number, and for each pixel red, green and blue, 0…255, times the
  ///     opacity, and the opacity, 0…1.
  public mutating func scaled(
    _ columns: Resampling, _ lines: Resampling,
    _ body: (_ row: Int, _ pixels: Span<SIMD4<Float>>) -> Void
  ) throws(PNGError) {
    let weights = ColumnWeights(columns)
    var sum = [SIMD4<Float>](repeating: .zero, count: columns.count)
    var (last, before) = (sum, sum)
    var raw: [UInt8] = []
    var read = -1
    for line in 0..<lines.count {
      let support = lines.support(of: line)
      for index in sum.indices { sum[index] = .zero }
      for row in support {
        while read < row {
          try next(into: &raw)
          read += 1
          if read < support.lowerBound { continue }
          swap(&last, &before)
          weights.spread(raw.span, channels, to: &last)
        }
        let weight = lines.weight(of: row, in: line)
        if row == read {
          add(last, times: weight, to: &sum)
        } else {
          add(before, times: weight, to: &sum)
        }
      }
      body(line, sum.span)
    }
  }

  private func add(
    _ row: [SIMD4<Float>], times weight: Float, to sum: inout [SIMD4<Float>]
  ) {
    for index in row.indices { sum[index] += row[index] * weight }
  }
}

/// What each wanted column takes from which of the picture's.
private struct ColumnWeights {
  private let supports: [ClosedRange<Int>]
  /// One after the other, as the supports have them.
  private let weights: [Float]

  init(_ columns: Resampling) {
    let supports = (0..<columns.count).map { columns.support(of: $0) }
    self.supports = supports
    weights = supports.indices.flatMap { column in
      supports[column].map { columns.weight(of: $0, in: column) }
    }
  }

  func spread(
    _ raw: Span<UInt8>, _ channels: PNGPicture.Channels, to row: inout [SIMD4<Float>]
  ) {
    var weight = 0
    for column in supports.indices {
      var sum = SIMD4<Float>.zero
      for pixel in supports[column] {
        sum += ColumnWeights.colour(raw, pixel, channels) * weights[weight]
        weight += 1
      }
      row[column] = sum
    }
  }

  @inline(__always)
  private static func colour(
    _ raw: Span<UInt8>, _ pixel: Int, _ channels: PNGPicture.Channels
  ) -> SIMD4<Float> {
    let first = pixel * channels.rawValue
    let red = Float(raw[first])
    switch channels {
    case .grey: return SIMD4(red, red, red, 1)
    case .greyAlpha:
      let alpha = Float(raw[first + 1]) / 255
      return SIMD4(red * alpha, red * alpha, red * alpha, alpha)
    case .rgb: return SIMD4(red, Float(raw[first + 1]), Float(raw[first + 2]), 1)
    case .rgba:
      let alpha = Float(raw[first + 3]) / 255
      return SIMD4(
        red * alpha, Float(raw[first + 1]) * alpha, Float(raw[first + 2]) * alpha, alpha)
    }
  }
}
