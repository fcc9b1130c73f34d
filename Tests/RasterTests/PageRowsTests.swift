import SyntheticHand
import Testing

@testable import Raster

@Suite struct PageRowsTests {
  /// Red, green and blue of a pixel of a page.
  static func colour(_ row: Int, _ x: Int) -> [UInt8] {
    // Positive, however far the page is scrolled.
    let row = row + 10_000
    return [UInt8(row % 251), UInt8(x % 256), UInt8((row + 3 * x) % 241)]
  }

  static func row(_ row: Int, width: Int, isGrey: Bool) -> [UInt8] {
    (0..<width).flatMap { isGrey ? [colour(row, $0)[2]] : colour(row, $0) }
  }

  static func pixel(_ row: Int, _ x: Int, isGrey: Bool) -> UInt32 {
    let colour = isGrey ? [UInt8](repeating: colour(row, x)[2], count: 3) : colour(row, x)
    return colour.reduce(0xFF) { $0 << 8 | UInt32($1) }
  }

  /// Pixels of a canvas that are not as they should be, with a page from column 21 and row 10 on.
  func differing(_ canvas: borrowing Canvas, _ area: PixelRect, top: Int, isGrey: Bool) -> Int {
    var count = 0
    let whole = canvas.pixels
    var column = [UInt32](repeating: 0, count: canvas.height)
    for x in 0..<canvas.width {
      var span = column.mutableSpan
      canvas.copy(column: x, from: 0, count: canvas.height, to: &span)
      for y in 0..<canvas.height {
        let isPage =
          x >= Int(area.x0) && x < Int(area.x1) && y >= Int(area.y0) && y < Int(area.y1)
        let expected =
          isPage
          ? Self.pixel(top + y - Int(area.y0), x - Int(area.x0), isGrey: isGrey) : 0xFFAB_CDEF
        let pixels = [whole[y * canvas.width + x], column[y], canvas[x, y]]
        count += pixels.allSatisfy { $0 == expected } ? 0 : 1
      }
    }
    return count
  }

  @Test(arguments: [false, true]) func `a page that is scrolled shows the rows of its position`(
    _ isGrey: Bool
  ) {
    var canvas = Canvas(width: 130, height: 90, ground: 0xABCDEF)
    let area = PixelRect(21, 10, 118, 77)
    canvas.showPage(in: area, isGrey: isGrey)
    for y in 10..<77 {
      canvas.paintPage(Self.row(200 + y - 10, width: 97, isGrey: isGrey).span, y: y)
    }
    #expect(differing(canvas, area, top: 200, isGrey: isGrey) == 0)
    var random = SeededRandom(seed: 5)
    var top = 200
    for _ in 0..<20 {
      let step = Int.random(in: -90...90, using: &random)
      top += step
      canvas.scrollPage(by: step)
      for y in step > 0 ? max(10, 77 - step)..<77 : 10..<min(77, 10 - step) {
        canvas.paintPage(Self.row(top + y - 10, width: 97, isGrey: isGrey).span, y: y)
      }
      #expect(differing(canvas, area, top: top, isGrey: isGrey) == 0, "\(step)")
    }
    canvas.hidePage()
    #expect(differing(canvas, .empty, top: 0, isGrey: isGrey) == 0)
  }

  @Test func `a part of the canvas is copied as it is, wherever the page is`() {
    var canvas = Canvas(width: 130, height: 90, ground: 0xABCDEF)
    canvas.showPage(in: PixelRect(21, 10, 118, 77), isGrey: true)
    for y in 10..<77 { canvas.paintPage(Self.row(y, width: 97, isGrey: true).span, y: y) }
    var random = SeededRandom(seed: 8)
    for _ in 0..<200 {
      let (x, y) = (Int.random(in: 0..<130, using: &random), Int.random(in: 0..<90, using: &random))
      let (width, height) = (
        Int.random(in: 1...(130 - x), using: &random), Int.random(in: 1...(90 - y), using: &random)
      )
      let rect = PixelRect(Int32(x), Int32(y), Int32(x + width), Int32(y + height))
      var part = [UInt32](repeating: 7, count: 131 * height)
      var output = part.mutableSpan
      canvas.copy(rect, to: &output, stride: 131)
      var isSame = true
      for row in 0..<height {
        for column in 0..<131 {
          let expected = column < width ? canvas[x + column, y + row] : 7
          isSame = isSame && part[131 * row + column] == expected
        }
      }
      #expect(isSame, "\(rect)")
    }
  }

  @Test func `a page hides ink, and rows that do not fit are ignored`() {
    var canvas = Canvas(width: 64, height: 64, ground: 0xABCDEF)
    canvas.showPage(in: PixelRect(0, 0, 64, 32), isGrey: true)
    for y in [-1, 32, 63] { canvas.paintPage([UInt8](repeating: 9, count: 64).span, y: y) }
    canvas.paintPage([UInt8](repeating: 9, count: 63).span, y: 3)
    canvas.paintPage([UInt8](repeating: 9, count: 3 * 64).span, y: 4)
    #expect([3, 4].allSatisfy { canvas[5, $0] == 0xFF00_0000 })
    #expect(canvas[5, 32] == 0xFFAB_CDEF)
    canvas.fillGround(0x112233)
    #expect(canvas[5, 3] == 0xFF11_2233)
  }
}
