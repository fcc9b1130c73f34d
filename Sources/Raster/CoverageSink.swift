/// Where coverage goes.
protocol CoverageSink {
  /// Takes the coverage of eight pixels; `x` is a multiple of eight.
  func add(_ coverage: SIMD8<UInt8>, _ x: Int, _ y: Int)
}
