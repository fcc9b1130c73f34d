import Commands
import JSON

struct Show: Runnable {
  static var command: Command {
    Command(
      "show", "Show a message on the running pad.",
      discussion: [
        "Waits until the message disappears; interrupting this program removes it. A pad that is out of service "
          + "because it cannot save signatures still shows messages."
      ],
      options: [
        Option("title", value: "TEXT", "Show one line above the text."),
        Option("language", value: "CODE", "Set the language of the text, such as de."),
        Option(
          "timeout", value: "SECONDS",
          "Remove the message after this time. Without it, after 5 seconds."),
        Option(flag: "button", "Add a button OK."), PadSocket.option,
      ],
      operands: [
        Operand(
          "TEXT", count: .optional,
          "The message. Without it, \"One moment, please\" in the language.")
      ],
      examples: [
        Command.Example(
          "paraph show --button --timeout 30 'Please take locker 4'",
          "Wait until the message is confirmed.")
      ],
      exitCodes: [
        Command.ExitCode(0, "The message was shown; with --button, the button was pressed."),
        Command.ExitCode(1, "Another program removed the message."),
        Command.ExitCode(2, "With --button, the button was not pressed in time."),
        Command.ExitCode(
          3, "The pad has no panel or no font, or the program in front did not release the panel."),
        Command.ExitCode(4, "The pad ended meanwhile."),
        Command.ExitCode(69, "The pad does not run."),
        Command.ExitCode(75, "The pad is busy with another request."),
        Command.ExitCode(77, "The pad does not accept requests of this user."),
      ])
  }

  private let text: String?
  private let title: String?
  private let language: String?
  private let timeout: Double?
  private let hasButton: Bool
  private let pad: PadSocket

  init(_ arguments: Arguments) throws(UsageError) {
    text = arguments.operands.first
    title = arguments.value("title")
    language = arguments.value("language")
    timeout = try arguments.timeLimit()
    hasButton = arguments.has("button")
    pad = PadSocket(arguments)
  }

  func run() throws(ToolError) {
    var parameters: [(String, JSONValue)] = []
    if let text { parameters.append(("text", .text(text))) }
    if let title { parameters.append(("title", .text(title))) }
    if let language { parameters.append(("language", .text(language))) }
    if let timeout { parameters.append(("time_limit", .real(timeout))) }
    if hasButton { parameters.append(("button", .flag(true))) }
    var connection = try PadConnection(pad.path)
    do throws(CallError) {
      let answer = try connection.call("Show", parameters)
      if answer["cancelled_by"]?.text != nil {
        throw CallError.failure(
          .cancelled(answer, padEnded: "the pad ended while it showed the message"))
      }
      if hasButton && answer["acknowledged"]?.flag != true {
        throw CallError.failure(ToolError(.timedOut, "the button was not pressed"))
      }
    } catch { throw error.whileWaiting }
  }
}
