import AllocationCount
import Raster
import Testing

@testable import Display

@Suite(.serialized) struct AllocationTests {
  @Test(arguments: [
    (Rotation.none, PixelFormat.xrgb8888, false), (.clockwise90, .rgb565, false),
    (.half, .xrgb8888, true),
  ])
  func `showing thousands of samples allocates no memory`(
    rotation: Rotation, format: PixelFormat, isFront: Bool
  ) throws {
    var options = MemoryPanelOptions(width: 320, height: 200)
    (options.rotation, options.format, options.isFront) = (rotation, format, isFront)
    var panel = try Panel(options)
    let canvas = Canvas(width: panel.width, height: panel.height)
    try panel.present(canvas, damage: PixelRegion(canvas.rect), at: 1)
    var asked = 0
    var now: Int64 = 1
    // What grows by doubling grows again within twice the samples.
    for sample in 0..<2500 {
      if sample == 500 { asked = allocation_count() }
      now += 4_166_667
      let at = Int32(sample % 150)
      panel.record(sampleAt: now)
      try panel.handleEvents(at: now)
      try panel.present(canvas, damage: PixelRegion(PixelRect(at, at, at + 9, at + 9)), at: now)
    }
    #expect(allocation_count() == asked)
    let frames = panel.statistics.frames
    #expect(frames > 500)
  }

  @Test func `refilling an atomic request allocates no memory`() {
    var request = AtomicRequest(capacity: 64)
    var asked = 0
    for round in 0..<100 {
      if round == 1 { asked = allocation_count() }
      request.clear()
      for place in 0..<64 { request.set(UInt32(place), of: UInt32(place / 8), to: 5) }
    }
    #expect(allocation_count() == asked)
  }
}
