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

  @Test func `the placeholder rate of an SPI panel is ignored`() {
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

  private let modes = [
    DisplayMode(width: 1280, height: 800, refreshMilliHertz: 75_000, isPreferred: true),
    DisplayMode(width: 1280, height: 800, refreshMilliHertz: 59_940),
    DisplayMode(width: 1280, height: 800, refreshMilliHertz: 50_000),
    DisplayMode(width: 640, height: 480, refreshMilliHertz: 60_000),
  ]

  @Test func `without a rate the preferred mode of the size wins`() {
    #expect(ModeRequest(width: 1280, height: 800).choose(from: modes) == modes[0])
    #expect(ModeRequest(width: 640, height: 480).choose(from: modes) == modes[3])
  }

  @Test func `60 finds the mode of 59.94 Hz`() {
    #expect(
      ModeRequest(width: 1280, height: 800, refreshMilliHertz: 60_000).choose(from: modes)
        == modes[1])
  }

  @Test func `of two rates that match the nearer one wins, whichever is preferred`() {
    let two = [
      DisplayMode(width: 640, height: 480, refreshMilliHertz: 60_400, isPreferred: true),
      DisplayMode(width: 640, height: 480, refreshMilliHertz: 59_940),
    ]
    let request = ModeRequest(width: 640, height: 480, refreshMilliHertz: 60_000)
    #expect(request.choose(from: two) == two[1])
  }

  @Test func `a rate that is not there is not replaced by another`() {
    #expect(
      ModeRequest(width: 1280, height: 800, refreshMilliHertz: 65_000).choose(from: modes) == nil)
    #expect(ModeRequest(width: 1024, height: 768).choose(from: modes) == nil)
  }
}
