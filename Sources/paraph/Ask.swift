import Commands
import JSON

struct Ask: Runnable {
  static var command: Command {
    Command(
      "ask", "Ask a question on the running pad.",
      discussion: [
        "Waits for the answer and prints the choice that was pressed; interrupting this program cancels the question. "
          + "A pad that is out of service because it cannot save signatures still asks questions."
      ],
      options: [
        Option("title", value: "TEXT", "Show one line above the question."),
        Option("language", value: "CODE", "Set the language of the texts, such as de."),
        Option("timeout", value: "SECONDS", "Give up after this time, at most 86400 seconds."),
        PadSocket.option,
      ],
      operands: [
        Operand("TEXT", "The question."),
        Operand("CHOICE", count: .several, "Two to four answers, each on a button."),
      ],
      examples: [
        Command.Example(
          "paraph ask --timeout 60 'Which door?' Front Back", "Print the door that was chosen.")
      ],
      exitCodes: [
        Command.ExitCode(0, "The question was answered."),
        Command.ExitCode(1, "The question was cancelled."),
        Command.ExitCode(2, "The time limit passed without an answer."),
        Command.ExitCode(
          3, "The pad has no panel or no font, or the program in front did not release the panel."),
        Command.ExitCode(4, "The pad ended meanwhile."),
        Command.ExitCode(69, "The pad does not run."),
        Command.ExitCode(75, "The pad is busy with another request."),
        Command.ExitCode(77, "The pad does not accept requests of this user."),
      ])
  }

  private let text: String
  private let choices: [String]
  private let title: String?
  private let language: String?
  private let timeout: Double?
  private let pad: PadSocket

  init(_ arguments: Arguments) throws(UsageError) {
    text = arguments.operands.first ?? ""
    choices = Array(arguments.operands.dropFirst())
    guard (2...4).contains(choices.count) else {
      throw arguments.error("a question has 2 to 4 choices, not \(choices.count)")
    }
    title = arguments.value("title")
    language = arguments.value("language")
    timeout = try arguments.timeLimit()
    pad = PadSocket(arguments)
  }

  func run() throws(ToolError) {
    var parameters: [(String, JSONValue)] = [
      ("text", .text(text)), ("choices", .array(choices.map { .text($0) })),
    ]
    if let title { parameters.append(("title", .text(title))) }
    if let language { parameters.append(("language", .text(language))) }
    if let timeout { parameters.append(("time_limit", .real(timeout))) }
    var connection = try PadConnection(pad.path)
    let answer: JSONValue
    do throws(CallError) {
      answer = try connection.call("Ask", parameters)
    } catch { throw error.whileWaiting }
    switch answer["outcome"]?.text {
    case "answered": try printChoice(answer["choice"]?.integer)
    case "timed_out": throw ToolError(.timedOut, "timed out without an answer")
    default: throw .cancelled(answer, padEnded: "the pad ended before there was an answer")
    }
  }

  private func printChoice(_ number: Int64?) throws(ToolError) {
    guard let number, let index = Int(exactly: number), choices.indices.contains(index) else {
      throw ToolError(.unavailable, "the pad's reply has no choice")
    }
    var output = StandardOutput()
    try output.line(choices[index])
    try output.flush()
  }
}
