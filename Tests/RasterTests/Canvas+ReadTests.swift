import Ink
import SyntheticHand
import Testing

@testable import Raster

@Suite struct CanvasReadTests {
  /// Ink, painted and plain ground in one row.
  private func canvas() -> Canvas {
    let scale = Scale(x: 1, y: 1)
    var canvas = Canvas(width: 100, height: 40, ground: 0xF0F0F0, ink: 0x102030)
    var planes = InkPlanes(width: 100, height: 40)
    canvas.fillGround(PixelRect(60, 0, 90, 40), 0x00FF00)
    var path = Path()
    path.move(to: Point(10, 5))
    path.line(to: Point(75, 5))
    path.line(to: Point(70, 30))
    canvas.compose(planes.addFinalised(path, scale: scale), ink: planes)
    return canvas
  }

  @Test func `any part of a row or column is copied exactly, and nothing beyond is written`() {
    let canvas = canvas()
    var random = SeededRandom(seed: 5)
    for _ in 0..<500 {
      let (x, y) = (Int(random.next() % 100), Int(random.next() % 40))
      let (columns, rows) = (
        Int(random.next() % UInt64(101 - x)), Int(random.next() % UInt64(41 - y))
      )
      var row = [UInt32](repeating: 7, count: 120)
      var column = row
      do {
        var span = row.mutableSpan
        canvas.copy(row: y, from: x, count: columns, to: &span)
      }
      do {
        var span = column.mutableSpan
        canvas.copy(column: x, from: y, count: rows, to: &span)
      }
      let read = (0..<120).map { $0 < columns ? canvas[x + $0, y] : 7 }
      let down = (0..<120).map { $0 < rows ? canvas[x, y + $0] : 7 }
      #expect(row == read, "seed 5")
      #expect(column == down, "seed 5")
    }
  }

  @Test func `any rectangle is copied exactly, and nothing beside it is written`() {
    let canvas = canvas()
    let (width, height) = (110, 44)
    var random = SeededRandom(seed: 6)
    for _ in 0..<500 {
      let (x, y) = (Int(random.next() % 100), Int(random.next() % 40))
      let (columns, rows) = (
        Int(random.next() % UInt64(101 - x)), Int(random.next() % UInt64(41 - y))
      )
      var picture = [UInt32](repeating: 7, count: width * height)
      do {
        var span = picture.mutableSpan
        canvas.copy(
          PixelRect(Int32(x), Int32(y), Int32(x + columns), Int32(y + rows)), to: &span,
          stride: width)
      }
      let expected = (0..<width * height).map { index in
        let (column, row) = (index % width, index / width)
        return column < columns && row < rows ? canvas[x + column, y + row] : 7
      }
      #expect(picture == expected, "seed 6")
    }
  }

  private static func read(_ x: Int, _ y: Int) {
    let canvas = Canvas(width: 10, height: 6)
    print(canvas[x, y])
  }

  private static func copy(_ x: Int, _ y: Int) {
    let canvas = Canvas(width: 10, height: 6)
    var column: [UInt32] = [0]
    var span = column.mutableSpan
    canvas.copy(column: x, from: y, count: 1, to: &span)
    print(column)
  }

  // The closures capture nothing: Swift Testing of 6.2 cannot hand values to another process.
  @Test func `reading outside the canvas ends the program`() async {
    await #expect(processExitsWith: .failure) { Self.read(-1, 0) }
    await #expect(processExitsWith: .failure) { Self.read(10, 0) }
    await #expect(processExitsWith: .failure) { Self.read(0, -1) }
    await #expect(processExitsWith: .failure) { Self.read(0, 6) }
    await #expect(processExitsWith: .failure) { Self.copy(-1, 0) }
    await #expect(processExitsWith: .failure) { Self.copy(10, 0) }
    await #expect(processExitsWith: .failure) { Self.copy(0, -1) }
    await #expect(processExitsWith: .failure) { Self.copy(0, 6) }
  }
}
