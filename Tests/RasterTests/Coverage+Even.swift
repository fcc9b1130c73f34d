import Raster

extension Coverage {
  /// Whether all pixels of some columns have the same coverage.
  func isEven(_ level: UInt8, in columns: Range<Int>) -> Bool {
    let expected = [UInt8](repeating: level, count: columns.count)
    for y in 0..<height {
      let isEven = row(y).withUnsafeBufferPointer { $0[columns].elementsEqual(expected) }
      if !isEven { return false }
    }
    return true
  }
}
