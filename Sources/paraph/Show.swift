internal import ArgumentParser
import JSON

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows a message on the running pad.",
    discussion: """
      Waits until the message is gone. Ends with 0, with --button only if it was pressed and else with \
      2; with 3 if the pad has no panel or no font, 4 if it ended meanwhile, 69 if there is no pad, 75 if \
      it is busy, 77 if this user may not ask it. A pad that is out of service because signatures cannot \
      be saved shows messages all the same. To interrupt this program takes the message away.
      """)

  @Argument(help: "The message.")
  var text: String

  @Option(help: "One line above the text.")
  var title: String?

  @Option(help: "The language of the text, such as de.")
  var language: String?

  @Option(help: ArgumentHelp("How long the message stays; by default 5.", valueName: "seconds"))
  var timeout: Double?

  @Flag(help: "Give the person a button OK.")
  var button = false

  @OptionGroup var pad: PadSocket

  func run() throws {
    var parameters: [(String, JSONValue)] = [("text", .text(text))]
    if let title { parameters.append(("title", .text(title))) }
    if let language { parameters.append(("language", .text(language))) }
    if let timeout { parameters.append(("time_limit", .real(timeout))) }
    if button { parameters.append(("button", .flag(true))) }
    var connection = try PadConnection(pad.path)
    do throws(PadRefusal) {
      let answer = try connection.call("Show", parameters)
      if button && answer["acknowledged"]?.flag != true {
        throw PadRefusal.failure(ToolError(.timedOut, "the button was not pressed"))
      }
    } catch { throw error.whileWaiting }
  }
}
