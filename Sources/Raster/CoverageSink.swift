/// Where coverage goes.
protocol CoverageSink {
  /// Coverage is about to come, nowhere but in `rect` and the groups of sixteen columns that it touches.
  func prepare(for rect: PixelRect)

  /// Where the coverage of pixel row `y` goes.
  func row(_ y: Int) -> Row

  associatedtype Row: CoverageRow
}

/// Where the coverage of one row of pixels after another goes.
protocol CoverageRow {
  /// Goes on to the row below.
  mutating func next()

  /// Takes the coverage of sixteen pixels; `x` is a multiple of sixteen.
  func add(_ coverage: SIMD16<UInt8>, _ x: Int)
}
