extension InkPlanes {
  /// The visible coverage of one pixel.
  public subscript(x: Int, y: Int) -> UInt8 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return tiles.lent.visible((y >> 5) * tiles.columns + (x >> 4), row: y & 31)[x & 15]
  }

  /// Writes the visible coverage of a part of a row into a buffer.
  ///
  /// - Parameters:
  ///   - y: The row.
  ///   - columns: Within the pad's width.
  ///   - buffer: Takes them from `start` on; it must hold them.
  public func writeCoverage(
    ofRow y: Int, columns: Range<Int>, to buffer: inout MutableSpan<UInt8>, at start: Int = 0
  ) {
    precondition(y >= 0 && y < height && columns.lowerBound >= 0 && columns.upperBound <= width)
    precondition(start >= 0 && start + columns.count <= buffer.count)
    let lent = tiles.lent
    let row = (y >> 5) * tiles.columns
    var x = columns.lowerBound
    while x < columns.upperBound {
      let end = min((x | 15) + 1, columns.upperBound)
      let coverage = lent.visible(row + (x >> 4), row: y & 31)
      for column in x..<end { buffer[start + column - columns.lowerBound] = coverage[column & 15] }
      x = end
    }
  }

  /// The visible coverage of a rectangle, row by row without gaps: 0 is paper, 255 is ink.
  ///
  /// - Parameter rect: Parts beyond the pad are left out.
  public func coverage(of rect: PixelRect) -> [UInt8] {
    let inside = rect.intersection(PixelRect(width: width, height: height))
    var bytes = [UInt8](repeating: 0, count: inside.area)
    var all = bytes.mutableSpan
    for row in 0..<inside.height {
      writeCoverage(
        ofRow: Int(inside.y0) + row, columns: Int(inside.x0)..<Int(inside.x1), to: &all,
        at: row * inside.width)
    }
    return bytes
  }
}
