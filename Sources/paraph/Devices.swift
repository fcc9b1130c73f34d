internal import ArgumentParser
import Configuration
import Display
import Pad
import Touch

struct Devices: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists cards, panels and touchscreens, and for each one not used, why.",
    discussion: """
      Modes are written as the configuration takes them; the panel's own has a star. Where nobody holds \
      a card, this program does for a few milliseconds. What is used is what the pad's configuration asks \
      for.
      """)

  @OptionGroup var pad: PadSettings

  func run() throws {
    let settings = try pad.readIfUsable()
    var output = StandardOutput()
    let displays = DisplaySurvey(PanelWishes(settings.display))
    let panel = PanelLocation(in: displays, settings.display)
    let touchscreens = TouchSurvey(DeviceChoice(settings.touch.device), on: panel)
    for line in displays.lines + touchscreens.lines { try output.line(line) }
    try output.flush()
  }
}
