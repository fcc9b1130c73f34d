import Testing

@testable import Raster

@Suite struct CellBufferTests {
  @Test(arguments: [(64, 0), (64, 513), (1 << 18, 1), (Int(1) << (Int.bitWidth - 4), 15)])
  func `a rectangle beyond the capacity is refused`(columns: Int, rows: Int) {
    var cells = CellBuffer()
    let fits = cells.reshape(columns: columns, rows: rows)
    let (width, height) = (cells.columns, cells.rows)
    #expect(!fits && width == 64 && height == 0)
  }

  @Test func `a rectangle within the capacity is accepted`() {
    var cells = CellBuffer()
    let fits = cells.reshape(columns: 512, rows: 511)
    let prepared = cells.prepared
    #expect(fits && prepared == CellBuffer.capacity)
  }
}
