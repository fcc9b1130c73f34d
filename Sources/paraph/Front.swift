import Commands

struct Front: Runnable {
  static var command: Command {
    Command(
      "front", "Bring the running pad to the front of a shared panel.",
      discussion: [
        "The pad stays in front until 'paraph back', or until another virtual terminal is shown. 'paraph sign', "
          + "'paraph show' and 'paraph ask' bring it to the front by themselves."
      ],
      options: [PadSocket.option],
      examples: [Command.Example("paraph front", "Show the pad's screen at rest.")],
      exitCodes: [
        Command.ExitCode(0, "The pad is in front."),
        Command.ExitCode(
          3,
          "The program in front did not release the panel, or another client returned it meanwhile."
        ),
      ] + ForegroundCall.exitCodes)
  }

  private let pad: PadSocket

  init(_ arguments: Arguments) throws(UsageError) { pad = PadSocket(arguments) }

  func run() throws(ToolError) { try ForegroundCall.perform("Front", pad) }
}
