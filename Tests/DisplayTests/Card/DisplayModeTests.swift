import CLibdrm
import Testing

@testable import Display

@Suite struct DisplayModeTests {
  @Test func `the rate comes from the timings, not from the rounded field`() {
    // CEA-861 1920x1080i at 59.94 Hz fields, from the standard's table.
    var mode = DisplayMode(width: 1920, height: 1080, refreshMilliHertz: 60_000)
    (mode.clock, mode.htotal, mode.vtotal, mode.flags) = (74_176, 2200, 1125, 1 << 4)
    #expect(mode.refreshMilliHertz == 59_940)
  }

  @Test func `the placeholder of an SPI panel is no rate`() {
    var mode = DisplayMode(width: 480, height: 320, refreshMilliHertz: 60_000)
    mode.clock = 1
    #expect(mode.refreshMilliHertz == nil)
    #expect(mode.period == nil)
  }

  @Test func `a mode without totals has no rate`() {
    var mode = DisplayMode(width: 8, height: 8, refreshMilliHertz: 60_000)
    mode.htotal = 0
    #expect(mode.refreshMilliHertz == nil)
  }

  @Test func `the kernel's struct holds every timing`() {
    var mode = DisplayMode(width: 0, height: 0, refreshMilliHertz: 0)
    mode.clock = 1
    (mode.hdisplay, mode.hsyncStart, mode.hsyncEnd, mode.htotal, mode.hskew) = (2, 3, 4, 5, 6)
    (mode.vdisplay, mode.vsyncStart, mode.vsyncEnd, mode.vtotal, mode.vscan) = (7, 8, 9, 10, 11)
    (mode.vrefresh, mode.flags, mode.type) = (12, 13, 14)
    let kernel = mode.kernel
    #expect(
      [kernel.hdisplay, kernel.hsync_start, kernel.hsync_end, kernel.htotal, kernel.hskew]
        == [2, 3, 4, 5, 6])
    #expect(
      [kernel.vdisplay, kernel.vsync_start, kernel.vsync_end, kernel.vtotal, kernel.vscan]
        == [7, 8, 9, 10, 11])
    #expect([kernel.clock, kernel.vrefresh, kernel.flags, kernel.type] == [1, 12, 13, 14])
  }

  @Test(arguments: [
    ("1280x800", 1280, 800, nil), ("1280x800@60", 1280, 800, 60_000),
    ("480x320@59.94", 480, 320, 59_940), ("8x8@7.5", 8, 8, 7_500),
  ])
  func `sizes and rates are read`(text: String, width: Int, height: Int, rate: Int?) throws {
    let request = try #require(ModeRequest(text))
    #expect(request.width == width && request.height == height)
    #expect(request.refreshMilliHertz == rate)
  }

  @Test(arguments: [
    "", "x", "1280", "1280x", "x800", "1280x800@", "1280x800@x", "1280x800@60 ", " 1280x800",
    "1280X800", "1280x800@60.", "1280x800@0", "0x800", "128000x800", "-1x800", "1280x800@60.1234",
  ])
  func `anything else is refused`(text: String) { #expect(ModeRequest(text) == nil) }

  private let modes = [
    DisplayMode(width: 1280, height: 800, refreshMilliHertz: 75_000, isPreferred: true),
    DisplayMode(width: 1280, height: 800, refreshMilliHertz: 59_940),
    DisplayMode(width: 1280, height: 800, refreshMilliHertz: 50_000),
    DisplayMode(width: 640, height: 480, refreshMilliHertz: 60_000),
  ]

  @Test func `without a rate the preferred mode of the size wins`() {
    #expect(ModeRequest("1280x800")?.choose(from: modes) == modes[0])
    #expect(ModeRequest("640x480")?.choose(from: modes) == modes[3])
  }

  @Test func `60 finds the mode of 59.94 Hz`() {
    #expect(ModeRequest("1280x800@60")?.choose(from: modes) == modes[1])
  }

  @Test func `a rate that is not there is not replaced by another`() {
    #expect(ModeRequest("1280x800@65")?.choose(from: modes) == nil)
    #expect(ModeRequest("1024x768")?.choose(from: modes) == nil)
  }
}
