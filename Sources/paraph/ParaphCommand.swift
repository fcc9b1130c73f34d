import Commands
import Configuration
import Linux

/// `paraph` from its arguments to its exit code (sysexits.h).
enum ParaphCommand {
  static var command: Command {
    Command(
      "paraph", "Draw, check and control what a Paraph signature pad sees.",
      examples: [
        Command.Example("paraph help sign", "Explain the command sign and its options.")
      ],
      exitCodes: [
        Command.ExitCode(0, "Success."), Command.ExitCode(64, "The command line is wrong."),
        Command.ExitCode(65, "The input is not valid."),
        Command.ExitCode(66, "An input does not exist."),
        Command.ExitCode(69, "A device or the running pad is not available."),
        Command.ExitCode(70, "A picture cannot be encoded."),
        Command.ExitCode(71, "/proc is not mounted."),
        Command.ExitCode(73, "An output cannot be created."),
        Command.ExitCode(74, "Input or output failed."),
        Command.ExitCode(75, "A device, or the pad, is in use; try again later."),
        Command.ExitCode(77, "This user is not allowed to do that."),
        Command.ExitCode(78, "A configuration is wrong."),
      ],
      subcommands: subcommands.map { $0.command }, version: DaemonArguments.version)
  }

  private static var subcommands: [Subcommand] {
    [
      Subcommand(Calibrate.self), Subcommand(Cancel.self), Subcommand(Compare.self),
      Subcommand(Contacts.self), Subcommand(Devices.self), Subcommand(Doctor.self),
      Subcommand(Generate.self), Subcommand(Record.self), Subcommand(Render.self),
      Subcommand(Show.self), Subcommand(Sign.self),
      Subcommand(
        "spool", "Manage the signatures in the spool.",
        [
          Subcommand(SpoolList.self), Subcommand(SpoolShow.self), Subcommand(SpoolRetry.self),
          Subcommand(SpoolDrop.self), Subcommand(SpoolExport.self),
        ]),
      Subcommand(Status.self), Subcommand(Trace.self), Subcommand(Watch.self),
    ]
  }

  /// Runs the command line, whose first word is the program's name, and ends the process.
  static func run(_ arguments: [String]) -> Never {
    // Not to be taken for a call without arguments, which prints the help and succeeds.
    guard !arguments.isEmpty else {
      Notice.write("cannot read the command line from /proc/self/cmdline: is /proc mounted?")
      Process.end(71)
    }
    do throws(ToolError) {
      try invoke(Array(arguments.dropFirst()))
    } catch {
      Notice.write(error.text)
      Process.end(error.code.rawValue)
    }
    Process.end(0)
  }

  private static func invoke(_ words: [String]) throws(ToolError) {
    let invocation: Invocation
    do throws(UsageError) { invocation = try command.parse(words) } catch { throw ToolError(error) }
    switch invocation {
    case .print(let text):
      var output = StandardOutput()
      try output.write(text)
      try output.flush()
    case .run(let arguments):
      var level = subcommands
      for name in arguments.command.dropFirst() {
        guard let subcommand = level.first(where: { $0.command.name == name }) else { return }
        if subcommand.subcommands.isEmpty { return try subcommand.run(arguments) }
        level = subcommand.subcommands
      }
    }
  }
}
