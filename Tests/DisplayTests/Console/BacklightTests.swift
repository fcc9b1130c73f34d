import CLinux
import Linux
import Testing

@testable import Display

@Suite struct BacklightTests {
  private func backlights(_ names: String...) throws -> TemporaryFolder {
    let sys = try TemporaryFolder()
    for name in names {
      try sys.file("\(name)/max_brightness", "200\n")
      try sys.file("\(name)/brightness", "50\n")
      try sys.file("\(name)/bl_power", "0\n")
    }
    return sys
  }

  private func first(_ path: String) -> String? { Folder.line(of: path) }

  @Test func `the only backlight needs no name; of several, one must be named`() throws {
    let one = try backlights("rpi_backlight")
    #expect(Backlight(named: nil, in: one.path)?.path == "\(one.path)/rpi_backlight")
    let two = try backlights("a", "b")
    #expect(Backlight(named: nil, in: two.path) == nil)
    #expect(Backlight(named: "b", in: two.path)?.path == "\(two.path)/b")
    #expect(Backlight(named: "c", in: two.path) == nil)
    #expect(Backlight(named: nil, in: "/nowhere") == nil)
  }

  @Test func `a folder without a largest brightness is no lamp`() throws {
    let sys = try backlights("panel")
    truncate("\(sys.path)/panel/max_brightness", 0)
    #expect(Backlight(named: nil, in: sys.path) == nil)
  }

  @Test func `switching the backlight off and on keeps its brightness`() throws {
    let sys = try backlights("panel")
    let backlight = try #require(Backlight(named: nil, in: sys.path))
    #expect(!backlight.isOff)
    truncate("\(sys.path)/panel/bl_power", 0)
    try backlight.setPower(false)
    #expect(first("\(sys.path)/panel/bl_power") == "4")
    #expect(backlight.isOff)
    #expect(first("\(sys.path)/panel/brightness") == "50")
    try backlight.setPower(true)
    #expect(!backlight.isOff)
  }

  @Test func `a backlight that cannot be written names its file`() throws {
    let sys = try TemporaryFolder()
    try sys.file("panel/max_brightness", "1")
    let backlight = try #require(Backlight(named: nil, in: sys.path))
    #expect(throws: SystemError("write", "\(sys.path)/panel/bl_power", Errno(ENOENT))) {
      try backlight.setPower(true)
    }
  }
}
