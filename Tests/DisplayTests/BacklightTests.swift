import CLinux
import Linux
import Testing

@testable import Display

@Suite struct BacklightTests {
  private func lamps(_ names: String...) throws -> TemporaryFolder {
    let sys = try TemporaryFolder()
    for name in names {
      try sys.file("\(name)/max_brightness", "200\n")
      try sys.file("\(name)/brightness", "50\n")
      try sys.file("\(name)/bl_power", "0\n")
    }
    return sys
  }

  private func first(_ path: String) -> String? { Folder.line(of: path) }

  @Test func `the only lamp needs no name, of several one must be named`() throws {
    let one = try lamps("rpi_backlight")
    #expect(Backlight(named: nil, in: one.path)?.path == "\(one.path)/rpi_backlight")
    let two = try lamps("a", "b")
    #expect(Backlight(named: nil, in: two.path) == nil)
    #expect(Backlight(named: "b", in: two.path)?.path == "\(two.path)/b")
    #expect(Backlight(named: "c", in: two.path) == nil)
    #expect(Backlight(named: nil, in: "/nowhere") == nil)
  }

  @Test func `brightness is a share of the largest, and what shines does not go out`() throws {
    let sys = try lamps("lamp")
    let lamp = try #require(Backlight(named: nil, in: sys.path))
    #expect(lamp.brightness == 0.25)
    // The file stands for an attribute, which each write replaces whole.
    for (share, written) in [(Float(1), "200"), (0.0001, "1"), (7, "200")] {
      truncate("\(sys.path)/lamp/brightness", 0)
      try lamp.set(brightness: share)
      #expect(first("\(sys.path)/lamp/brightness") == written)
    }
    truncate("\(sys.path)/lamp/brightness", 0)
    try lamp.set(brightness: 0)
    #expect(first("\(sys.path)/lamp/brightness") == "0")
  }

  @Test func `the lamp goes out and on without losing its brightness`() throws {
    let sys = try lamps("lamp")
    let lamp = try #require(Backlight(named: nil, in: sys.path))
    #expect(!lamp.isOut)
    truncate("\(sys.path)/lamp/bl_power", 0)
    try lamp.power(false)
    #expect(first("\(sys.path)/lamp/bl_power") == "4")
    #expect(lamp.isOut)
    #expect(lamp.brightness == 0.25)
  }

  @Test func `a lamp that may not be written says which file`() throws {
    let sys = try TemporaryFolder()
    try sys.file("lamp/max_brightness", "1")
    let lamp = try #require(Backlight(named: nil, in: sys.path))
    #expect(throws: SystemError("write", "\(sys.path)/lamp/brightness", Errno(ENOENT))) {
      try lamp.set(brightness: 1)
    }
  }
}
