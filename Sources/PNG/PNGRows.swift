internal import CPNG
public import Raster

/// Reads a PNG row by row.
///
/// Keeps one row in memory; for an interlaced PNG, the whole picture.
@safe public struct PNGRows: ~Copyable {
  /// Width and height in pixels.
  public let width, height: Int
  /// The channels of a pixel.
  public let channels: PNGPicture.Channels
  private let reader: OpaquePointer

  @unsafe init(_ reader: OpaquePointer, _ header: CPNG_picture) {
    (width, height) = (Int(header.width), Int(header.height))
    channels = PNGPicture.Channels(header)
    unsafe self.reader = reader
  }

  /// Reads the next row of `width` pixels into `row`.
  ///
  /// With the last row, checks the rest of the file. Do not call it again then.
  public mutating func next(into row: inout [UInt8]) throws(PNGError) {
    let bytes = width * channels.rawValue
    if row.count != bytes { row = [UInt8](repeating: 0, count: bytes) }
    let code = unsafe row.withUnsafeMutableBufferPointer { row in
      unsafe CPNG_readRow(reader, row.baseAddress, bytes)
    }
    if code != CPNG_done { throw unsafe PNGError(code, reading: reader) }
  }
}

extension PNGFile {
  /// Opens a PNG and calls `body` to read its rows.
  ///
  /// Before any allocation, throws if the picture exceeds `pixelLimit`, or `interlacedLimit` if it is interlaced.
  public static func read<Result>(
    _ bytes: [UInt8], pixelLimit: Int = PNGFile.pixelLimit,
    interlacedLimit: Int = PNGFile.pixelLimit,
    _ body: (inout PNGRows) throws(PNGError) -> Result
  ) throws(PNGError) -> Result {
    try unsafe open(bytes, pixelLimit) { (reader, header) throws(PNGError) in
      var rows = unsafe PNGRows(reader, header)
      if header.isInterlaced != 0, rows.width * rows.height > interlacedLimit {
        throw .tooLarge(width: rows.width, height: rows.height)
      }
      return try body(&rows)
    }
  }
}

extension PNGRows {
  /// Reads a part of the picture, scaled to another size, and keeps two source rows in memory.
  ///
  /// - Parameters:
  ///   - columns: The resampling of columns.
  ///   - lines: The resampling of rows.
  ///   - body: Is called with each target row's number and premultiplied pixels: red, green and blue 0…255
  ///     times the opacity, and the opacity 0…1.
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

/// The weights of the source columns for each target column.
private struct ColumnWeights {
  private let supports: [ClosedRange<Int>]
  /// The weights of all supports in sequence.
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
