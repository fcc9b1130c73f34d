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
    let shares = ColumnShares(columns)
    var sum = [SIMD4<Float>](repeating: .zero, count: columns.count)
    var (last, before) = (sum, sum)
    var raw: [UInt8] = []
    var read = -1
    for line in 0..<lines.count {
      let reach = lines.reach(of: line)
      for index in sum.indices { sum[index] = .zero }
      for row in reach {
        while read < row {
          try next(into: &raw)
          read += 1
          if read < reach.lowerBound { continue }
          swap(&last, &before)
          shares.spread(raw.span, channels, to: &last)
        }
        let share = lines.share(of: row, in: line)
        if row == read {
          add(last, times: share, to: &sum)
        } else {
          add(before, times: share, to: &sum)
        }
      }
      body(line, sum.span)
    }
  }

  private func add(
    _ row: [SIMD4<Float>], times share: Float, to sum: inout [SIMD4<Float>]
  ) {
    for index in row.indices { sum[index] += row[index] * share }
  }
}

/// What each wanted column takes from which of the picture's.
private struct ColumnShares {
  private let reaches: [ClosedRange<Int>]
  /// One after the other, as the reaches have them.
  private let shares: [Float]

  init(_ columns: Resampling) {
    let reaches = (0..<columns.count).map { columns.reach(of: $0) }
    self.reaches = reaches
    shares = reaches.indices.flatMap { column in
      reaches[column].map { columns.share(of: $0, in: column) }
    }
  }

  func spread(
    _ raw: Span<UInt8>, _ channels: PNGPicture.Channels, to row: inout [SIMD4<Float>]
  ) {
    var share = 0
    for column in reaches.indices {
      var sum = SIMD4<Float>.zero
      for pixel in reaches[column] {
        sum += ColumnShares.colour(raw, pixel, channels) * shares[share]
        share += 1
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
