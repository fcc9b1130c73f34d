import CLinux
import Linux
import ScreenFixtures
import SpoolFixtures
import Testing

@testable import Display
@testable import Pad

@Suite struct BacklightPowerTests {
  private let sys = TemporaryFolder()

  private var file: String { sys.path + "/panel/bl_power" }

  /// A backlight with this power.
  private func backlight(_ power: String) throws -> Backlight {
    mkdir(sys.path + "/panel", 0o700)
    try ThemeFixtures.write(Array("1".utf8), to: sys.path + "/panel/max_brightness")
    try set(power)
    return try #require(Backlight(named: nil, in: sys.path))
  }

  private func set(_ power: String) throws {
    try ThemeFixtures.write(Array(power.utf8), to: file)
  }

  @Test func `the backlight follows the panel`() throws {
    var power = BacklightPower(of: try backlight("0"))
    power.setBlanked(true)
    #expect(Folder.line(of: file) == "4")
    power.setBlanked(false)
    #expect(Folder.line(of: file) == "0")
  }

  @Test func `a pad that was killed while blanked leaves no dark panel`() throws {
    var power = BacklightPower(of: try backlight("4"))
    power.setBlanked(false)
    #expect(Folder.line(of: file) == "0")
  }

  @Test func `a backlight that could not be switched on is tried again, and then stays on`() throws
  {
    var power = BacklightPower(of: try backlight("0"))
    power.setBlanked(true)
    unlink(file)
    power.setBlanked(false)
    try set("4")
    power.retry()
    #expect(Folder.line(of: file) == "0")
    power.setBlanked(true)
    #expect(Folder.line(of: file) == "0")
  }

  @Test func `a backlight that is off because nobody uses the pad stays off`() throws {
    var power = BacklightPower(of: try backlight("4"))
    unlink(file)
    power.setBlanked(false)
    power.setBlanked(true)
    try set("4")
    power.retry()
    #expect(Folder.line(of: file) == "4")
  }

  @Test func `a backlight that could not be switched off stays on`() throws {
    var power = BacklightPower(of: try backlight("0"))
    unlink(file)
    power.setBlanked(true)
    try set("0")
    power.setBlanked(true)
    #expect(Folder.line(of: file) == "0")
  }
}
