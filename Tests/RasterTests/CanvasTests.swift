import Ink
import Testing

@testable import Raster

@Suite struct CanvasTests {
  let scale = Scale(x: 1, y: 1)

  @Test func `ink covers the ground, and clearing brings it back`() {
    var canvas = Canvas(width: 100, height: 60, ground: 0xF0F0F0, ink: 0x102030)
    var planes = InkPlanes(width: 100, height: 60)
    let painted = canvas.fillGround(box(10, 10, 30, 30), 0x00FF00, scale: scale)
    canvas.compose(painted, ink: planes)
    #expect(canvas[20, 20] == 0xFF00_FF00)
    let inked = planes.settle(box(15, 15, 50, 20.5), scale: scale)
    canvas.compose(inked, ink: planes)
    #expect(canvas[20, 17] == 0xFF10_2030)
    #expect(canvas[40, 17] == 0xFF10_2030)
    #expect(canvas[20, 20] == 0xFF08_8F18)
    canvas.compose(planes.clear(), ink: planes)
    #expect(canvas[20, 17] == 0xFF00_FF00)
    #expect(canvas[40, 17] == 0xFFF0_F0F0)
  }
}
