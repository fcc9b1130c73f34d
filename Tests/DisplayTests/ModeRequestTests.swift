import Testing

@testable import Display

@Suite struct ModeRequestTests {
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
