import CLinux
import Client
import Commands
import JSON

struct Screenshot: Runnable {
  static var command: Command {
    Command(
      "screenshot", "Save a picture of what the running pad shows now.",
      discussion: [
        "While there is ink on the glass, the pad gives no picture unless its configuration allows clients to watch "
          + "strokes ([control] watch-strokes). A picture of a request needs no pad: see 'paraph preview'."
      ],
      options: [
        Option(
          "output", short: "o", value: "FILE", values: .file(["png"]),
          "Write the PNG to FILE; by default, to standard output."),
        PadSocket.option,
      ],
      examples: [
        Command.Example("paraph screenshot -o pad.png", "See what the person at the pad sees.")
      ],
      exitCodes: [
        Command.ExitCode(3, "The pad has no panel, or its panel shows something else."),
        Command.ExitCode(69, "The pad does not run."),
        Command.ExitCode(75, "Too many clients ask for pictures."),
        Command.ExitCode(77, "There is ink on the glass, which clients must not see."),
      ])
  }

  private let output: String?
  private let pad: PadSocket

  init(_ arguments: Arguments) throws(UsageError) {
    output = arguments.value("output")
    pad = PadSocket(arguments)
    if output == nil, isatty(1) == 1 {
      throw arguments.error("option '--output' is missing: a terminal cannot show a PNG")
    }
  }

  func run() throws(ToolError) {
    if let output { try OutputFile.check(output) }
    var connection = try PadConnection(pad.path)
    let reply: JSONValue
    do throws(CallError) {
      reply = try connection.call("Screenshot", [])
    } catch {
      switch error {
      case .answer("org.paraph.Pad.StrokesNotAllowed", _):
        throw ToolError(
          .noPermission,
          "there is ink on the glass; [control] watch-strokes = yes allows to see it, and with sealing also [seal] replies = plain"
        )
      case .answer("org.paraph.Pad.Busy", _):
        throw ToolError(.tempfail, "too many clients ask the pad for pictures")
      case .answer("org.paraph.Pad.OutOfService", let reason):
        throw ToolError(.outOfService, "no picture: \(reason ?? "no reason given")")
      default: throw error.toolError
      }
    }
    guard let png = reply["png"]?.base64Bytes else {
      throw ToolError(.unavailable, "the pad's reply has no png")
    }
    guard let output else {
      var output = StandardOutput()
      return try output.write(png)
    }
    try OutputFile.write(png, to: output)
  }
}
