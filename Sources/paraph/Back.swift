import Commands

struct Back: Runnable {
  static var command: Command {
    Command(
      "back", "Return a shared panel to the program that had it before.",
      options: [PadSocket.option],
      examples: [
        Command.Example("paraph back", "Return the panel without waiting for the end of a notice.")
      ],
      exitCodes: [
        Command.ExitCode(0, "The pad does not keep the panel any longer."),
        Command.ExitCode(75, "A request, message or question is open."),
      ] + ForegroundCall.exitCodes)
  }

  private let pad: PadSocket

  init(_ arguments: Arguments) throws(UsageError) { pad = PadSocket(arguments) }

  func run() throws(ToolError) { try ForegroundCall.perform("Back", pad) }
}
