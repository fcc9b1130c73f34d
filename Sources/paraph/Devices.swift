internal import ArgumentParser
import Display
import Touch

struct Devices: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists cards, panels and touchscreens, and for each one not used, why.",
    discussion: """
      Modes are written as the configuration takes them; the panel's own has a star. Where nobody holds \
      a card, this program does for a few milliseconds.
      """)

  func run() throws {
    var output = StandardOutput()
    for line in DisplaySurvey().lines { try output.line(line) }
    for line in TouchSurvey().lines { try output.line(line) }
    try output.flush()
  }
}
