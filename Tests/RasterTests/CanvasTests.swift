import AllocationCount
import Ink
import Testing

@testable import Raster

@Suite struct CanvasTests {
  let scale = Scale(x: 1, y: 1)

  @Test func `released ink uses no memory`() {
    var canvas = Canvas(width: 6400, height: 3840)
    var planes = InkPlanes(width: 6400, height: 3840)
    let size = 200 * 120 * 4096
    let clean = held_pages(canvas.inked.tile(0), size)
    // Not the first tile: malloc may have written into its page.
    canvas.compose(planes.addFinalised(box(33, 33, 831, 511), scale: scale), ink: planes)
    #expect(held_pages(canvas.inked.tile(0), size) == clean + 25 * 15)
    canvas.releaseMemory()
    #expect(canvas[400, 240] == 0xFF00_0000)
    canvas.compose(planes.clear(), ink: planes)
    canvas.releaseMemory()
    #expect(held_pages(canvas.inked.tile(0), size) == clean)
    #expect(canvas[400, 240] == 0xFFFF_FFFF)
  }

  @Test func `a new ground releases the memory of the old one`() throws {
    var canvas = Canvas(width: 6400, height: 3840)
    let corner = box(0, 0, 9, 9)
    func held(_ canvas: borrowing Canvas) throws -> Int {
      let first = canvas.ground.painted(0)
      return held_pages(try #require(first).colours, 200 * 120 * 4096)
    }
    canvas.fillGround(corner, 0x00FF00, scale: scale)
    let one = try held(canvas)
    canvas.fillGround(box(0, 0, 800, 480), 0x00FF00, scale: scale)
    #expect(try held(canvas) > one + 370)
    canvas.fillGround(0xFFFFFF)
    canvas.fillGround(corner, 0x00FF00, scale: scale)
    #expect(try held(canvas) == one)
  }

  @Test func `ink covers the ground, and clearing restores it`() {
    var canvas = Canvas(width: 100, height: 60, ground: 0xF0F0F0, ink: 0x102030)
    var planes = InkPlanes(width: 100, height: 60)
    let painted = canvas.fillGround(box(10, 10, 30, 30), 0x00FF00, scale: scale)
    canvas.compose(painted, ink: planes)
    #expect(canvas[20, 20] == 0xFF00_FF00)
    let inked = planes.addFinalised(box(15, 15, 50, 20.5), scale: scale)
    canvas.compose(inked, ink: planes)
    #expect(canvas[20, 17] == 0xFF10_2030)
    #expect(canvas[40, 17] == 0xFF10_2030)
    #expect(canvas[20, 20] == 0xFF08_8F18)
    canvas.compose(planes.clear(), ink: planes)
    #expect(canvas[20, 17] == 0xFF00_FF00)
    #expect(canvas[40, 17] == 0xFFF0_F0F0)
  }
}
