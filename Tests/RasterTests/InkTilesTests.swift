import Testing

@testable import Raster

@Suite struct InkTilesTests {
  @Test func `a rectangle touches the tiles that have a pixel of it, and no others`() {
    let columns = 5
    for (x0, x1) in [(0, 80), (15, 17), (16, 32), (31, 33), (79, 80)] as [(Int32, Int32)] {
      for (y0, y1) in [(0, 128), (31, 33), (32, 64), (63, 65), (127, 128)] as [(Int32, Int32)] {
        var touched: Set<Int> = []
        for y in y0..<y1 {
          for x in x0..<x1 { touched.insert(Int(y / 32) * columns + Int(x / 16)) }
        }
        var found: [Int] = []
        InkTiles.forEach(in: PixelRect(x0, y0, x1, y1), columns: columns) { found.append($0) }
        #expect(found == touched.sorted())
      }
    }
  }
}
