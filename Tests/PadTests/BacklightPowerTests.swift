import CLinux
import Configuration
import Linux
import ScreenFixtures
import SpoolFixtures
import Testing

@testable import Pad

@Suite struct BacklightPowerTests {
  private let sys = TemporaryFolder()

  private var file: String { sys.path + "/panel/bl_power" }

  /// The only backlight, which has this power.
  private func backlight(_ power: String) throws -> BacklightPower {
    try connect(power)
    return BacklightPower(.automatic, in: sys.path)
  }

  /// A driver brings a backlight.
  private func connect(_ power: String, as name: String = "panel") throws {
    mkdir(sys.path + "/" + name, 0o700)
    try ThemeFixtures.write(Array("1".utf8), to: sys.path + "/" + name + "/max_brightness")
    try ThemeFixtures.write(Array(power.utf8), to: sys.path + "/" + name + "/bl_power")
  }

  private func set(_ power: String) throws {
    try ThemeFixtures.write(Array(power.utf8), to: file)
  }

  @Test func `the backlight follows the panel`() throws {
    var power = try backlight("0")
    power.setBlanked(true)
    #expect(Folder.line(of: file) == "4")
    power.setBlanked(false)
    #expect(Folder.line(of: file) == "0")
  }

  @Test func `a pad that was killed while blanked leaves no dark panel`() throws {
    var power = try backlight("4")
    power.setBlanked(false)
    #expect(Folder.line(of: file) == "0")
  }

  @Test func `a backlight that could not be switched on is tried again, and then stays on`() throws
  {
    var power = try backlight("0")
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
    var power = try backlight("4")
    unlink(file)
    power.setBlanked(false)
    power.setBlanked(true)
    try set("4")
    power.retry()
    #expect(Folder.line(of: file) == "4")
  }

  @Test func `a backlight that could not be switched off stays on`() throws {
    var power = try backlight("0")
    unlink(file)
    power.setBlanked(true)
    try set("0")
    power.setBlanked(true)
    #expect(Folder.line(of: file) == "0")
  }

  @Test(arguments: [DisplayConfiguration.Backlight.automatic, .named("panel")])
  func `a backlight that appears after the start of the pad goes off and on with the panel`(
    choice: DisplayConfiguration.Backlight
  ) throws {
    var power = BacklightPower(choice, in: sys.path)
    power.panelOpened()
    try connect("0")
    power.setBlanked(true)
    #expect(Folder.line(of: file) == "4")
    power.setBlanked(false)
    #expect(Folder.line(of: file) == "0")
  }

  @Test func `a backlight that replaces another one is switched in its place`() throws {
    var power = try backlight("0")
    unlink(file)
    power.setBlanked(true)
    try Folder(sys.path).removeTree("panel")
    // The native driver's, in place of the firmware's.
    try connect("0", as: "native")
    power.panelReturned()
    #expect(Folder.line(of: sys.path + "/native/bl_power") == "4")
    power.setBlanked(false)
    #expect(Folder.line(of: sys.path + "/native/bl_power") == "0")
  }

  @Test func `a backlight that replaces one of the same name follows the panel, too`() throws {
    var power = try backlight("0")
    power.setBlanked(true)
    try Folder(sys.path).removeTree("panel")
    try connect("0")
    power.panelReturned()
    #expect(Folder.line(of: file) == "4")
    power.setBlanked(false)
    try Folder(sys.path).removeTree("panel")
    try connect("4")
    power.panelReturned()
    #expect(Folder.line(of: file) == "0")
  }

  @Test func `a failure to switch the backlight off is forgotten with the next panel`() throws {
    var power = try backlight("0")
    unlink(file)
    power.setBlanked(true)
    try set("0")
    power.panelOpened()
    power.setBlanked(true)
    #expect(Folder.line(of: file) == "4")
  }
}
