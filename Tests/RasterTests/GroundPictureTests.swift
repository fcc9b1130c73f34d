import Ink
import SyntheticHand
import Testing

@testable import Raster

@Suite struct GroundPictureTests {
  let scale = Scale(x: 1, y: 1)

  /// A colour for every pixel of a canvas of 100 × 70.
  func colour(_ x: Int, _ y: Int) -> UInt32 {
    0xFF00_0000 | UInt32(x * 2) << 16 | UInt32(y * 3) << 8 | UInt32((x + y) & 255)
  }

  func picture(rows: Range<Int> = 0..<70) -> GroundPicture {
    var painting = GroundPicture.Painting(width: 100, height: 70, ground: 0xEEEEEE)
    for y in rows {
      let row = (0..<100).map { x in
        let colour = colour(x, y)
        return SIMD4(
          Float(colour >> 16 & 255), Float(colour >> 8 & 255), Float(colour & 255), 1)
      }
      painting.composite(row.span, x: 0, y: y)
    }
    return GroundPicture(painting)
  }

  @Test func `a picture is covered by ink and shapes, and restored`() {
    var canvas = Canvas(width: 100, height: 70, ground: 0x123456, ink: 0)
    var planes = InkPlanes(width: 100, height: 70)
    canvas.fillGround(0xEEEEEE, under: picture())
    canvas.compose(canvas.rect, ink: planes)
    let clean = canvas.pixels
    #expect(clean == (0..<70).flatMap { y in (0..<100).map { colour($0, y) } })
    var box = Path()
    box.move(to: Point(20, 20))
    box.line(to: Point(60, 20))
    box.line(to: Point(60, 50))
    box.line(to: Point(20, 50))
    canvas.compose(canvas.fillGround(box, 0x00FF00, scale: scale), ink: planes)
    #expect(canvas[40, 30] == 0xFF00_FF00 && canvas[61, 30] == colour(61, 30))
    canvas.compose(planes.addFinalised(box, scale: scale), ink: planes)
    #expect(canvas[40, 30] == 0xFF00_0000)
    canvas.compose(canvas.clearGround(PixelRect(10, 10, 70, 60)), ink: planes)
    canvas.compose(planes.clear(), ink: planes)
    #expect(canvas.pixels == clean)
  }

  @Test func `ink that covers half a pixel lets the picture of its own row through`() {
    var painting = GroundPicture.Painting(width: 64, height: 64, ground: 0)
    let white: [SIMD4<Float>] = Array(repeating: SIMD4(255, 255, 255, 1), count: 64)
    for y in stride(from: 0, to: 64, by: 2) { painting.composite(white.span, x: 0, y: y) }
    var canvas = Canvas(width: 64, height: 64, ground: 0, ink: 0)
    var planes = InkPlanes(width: 64, height: 64)
    canvas.fillGround(0, under: GroundPicture(painting))
    canvas.compose(canvas.rect, ink: planes)
    var line = Path()
    line.move(to: Point(2, 30.5))
    line.line(to: Point(62, 30.5))
    line.line(to: Point(62, 31.5))
    line.line(to: Point(2, 31.5))
    canvas.compose(planes.addFinalised(line, scale: scale), ink: planes)
    for x in 2..<62 {
      #expect((64..<224).contains(canvas[x, 30] & 255) && canvas[x, 31] & 255 == 0, "column \(x)")
    }
  }

  @Test func `unpainted pixels keep the ground's colour, and half a pixel keeps half of it`() {
    let picture = picture(rows: 0..<20)
    #expect(picture[5, 5] == colour(5, 5))
    // A tile that is painted in part has the ground's colour in the rest.
    #expect(picture[5, 25] == 0xFFEE_EEEE)
    #expect(picture[5, 40] == nil)
    let whole = self.picture()
    for y in 0..<70 { #expect(whole[99, y] == colour(99, y)) }
    var painting = GroundPicture.Painting(width: 4, height: 1, ground: 0x640A00)
    let half: [SIMD4<Float>] = [SIMD4(50, 50, 50, 0.5), .zero]
    painting.composite(half.span, x: -1, y: 0)
    painting.composite(half.span, x: 1, y: 0)
    painting.composite(half.span, x: 3, y: 0)
    painting.composite(half.span, x: 0, y: 1)
    let mixed = GroundPicture(painting)
    #expect(mixed[0, 0] == 0xFF64_0A00)
    #expect(mixed[1, 0] == 0xFF64_3732 && mixed[2, 0] == 0xFF64_0A00)
    #expect(mixed[3, 0] == 0xFF64_3732)
  }

  @Test func `clearing a part of one colour leaves that colour`() {
    var canvas = Canvas(width: 100, height: 70, ground: 0xABCDEF, ink: 0)
    let planes = InkPlanes(width: 100, height: 70)
    canvas.compose(canvas.fillGround(PixelRect(10, 10, 90, 60), 0xFF0000), ink: planes)
    let cleared = canvas.clearGround(PixelRect(20, -5, 40, 200))
    #expect(cleared == PixelRect(20, 0, 40, 70))
    canvas.compose(cleared, ink: planes)
    #expect(canvas[30, 30] == 0xFFAB_CDEF && canvas[50, 30] == 0xFFFF_0000)
  }
}
