/// Where coverage goes.
protocol CoverageSink {
  /// Coverage is about to come, nowhere but in `rect` and the groups of eight columns that it touches.
  func prepare(for rect: PixelRect)

  /// Takes the coverage of eight pixels; `x` is a multiple of eight.
  func add(_ coverage: SIMD8<UInt8>, _ x: Int, _ y: Int)
}
