import Commands
import Configuration
import Display
import JSON
import Pad
import Touch

struct Devices: Runnable {
  static var command: Command {
    Command(
      "devices", "List cards, panels and touchscreens, and why one is not used.",
      discussion: [
        "Which devices are used depends on the pad's configuration. Modes are printed as the configuration "
          + "takes them; a star marks the panel's preferred one. A card that no program holds is held for a few "
          + "milliseconds."
      ],
      options: [Option(flag: "json", "Print JSON, for programs."), PadSettings.option],
      examples: [
        Command.Example("paraph devices", "Find out which panel and touchscreen the pad uses.")
      ])
  }

  private let pad: PadSettings
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    pad = PadSettings(arguments)
    isJSON = arguments.has("json")
  }

  func run() throws(ToolError) {
    let settings = try pad.readIfUsable()
    let display = DisplaySurvey(OutputSelector(settings.display))
    let panel = PanelLocation(in: display, settings.display)
    let touch = TouchSurvey(DeviceChoice(settings.touch.device), on: panel)
    var output = StandardOutput()
    if isJSON {
      let devices = JSONValue.object([("cards", display.json), ("touchscreens", touch.json)])
      try output.line { $0 += devices.bytes(.lines) }
    } else {
      for line in display.lines + touch.lines { try output.line(line) }
    }
    try output.flush()
  }
}
