import Raster
import Testing

@testable import Display

extension Canvas {
  /// Another ground in a rectangle, as it will be shown.
  mutating func paint(_ rect: PixelRect, _ colour: UInt32) {
    fillGround(rect, colour & 0xFF_FFFF)
    compose(rect, ink: InkPlanes(width: width, height: height))
  }
}

extension Panel {
  /// Both buffers filled, nothing in flight; returns the time.
  mutating func settle(_ canvas: borrowing Canvas) throws -> Int64 {
    try present(canvas, damage: PixelRegion(), at: 1)
    var now: Int64 = 1
    for _ in 0..<2 {
      try present(canvas, damage: PixelRegion(PixelRect(0, 0, 1, 1)), at: now)
      while let deadline = nextDeadline {
        now = deadline
        try handleEvents(at: now)
        try present(canvas, damage: PixelRegion(), at: now)
      }
    }
    return now
  }

  /// Shows the next of several red squares along the diagonal, of a panel of 32 pixels.
  mutating func draws(_ step: Int32, on canvas: inout Canvas) throws {
    let rect = PixelRect(step, step, step + 2, step + 2)
    canvas.paint(rect, 0xFF0000)
    try present(canvas, damage: PixelRegion(rect), at: Int64(step) + 3)
    let pixels = picture()?.pixels
    #expect(pixels?[Int(step) * 33] == 0xFFFF_0000)
  }
}
