import Commands
import Configuration
import JSON
import Linux
import Nettle
import PNG
import Text
import Touch

/// Runs `paraph` and maps errors to exit codes (sysexits.h).
enum ParaphCommand {
  static var command: Command {
    Command(
      "paraph", "Control and diagnose a Paraph signature pad, and draw its recordings.",
      examples: [
        Command.Example("paraph help sign", "Explain the command sign and its options.")
      ],
      exitCodes: [
        Command.ExitCode(0, "Success."), Command.ExitCode(64, "The command line is wrong."),
        Command.ExitCode(65, "The input is not valid."),
        Command.ExitCode(66, "An input does not exist."),
        Command.ExitCode(69, "A device or the running pad is not available."),
        Command.ExitCode(70, "A picture cannot be encoded, or paraph-seal has crashed."),
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
      Subcommand(Ask.self), Subcommand(Back.self), Subcommand(Calibrate.self),
      Subcommand(Cancel.self), Subcommand(Compare.self), Subcommand(Contacts.self),
      Subcommand(Devices.self), Subcommand(Doctor.self), Subcommand(Front.self),
      Subcommand(Generate.self), Subcommand(Preview.self), Subcommand(Record.self),
      Subcommand(Render.self), Subcommand(Screenshot.self),
      Subcommand(
        "seal", "Make the key and the certificate of a pad.",
        [
          Subcommand(SealNewKey.self), Subcommand(SealKeyRequest.self),
          Subcommand(SealSelfSign.self),
        ]),
      Subcommand(Show.self),
      Subcommand(Sign.self),
      Subcommand(
        "spool", "Manage the signatures in the spool.",
        [
          Subcommand(SpoolList.self), Subcommand(SpoolShow.self), Subcommand(SpoolRetry.self),
          Subcommand(SpoolFlush.self), Subcommand(SpoolDrop.self), Subcommand(SpoolErase.self),
          Subcommand(SpoolExport.self),
        ]),
      Subcommand(Status.self), Subcommand(Trace.self), Subcommand(Unseal.self),
      Subcommand(Verify.self), Subcommand(Watch.self),
    ]
  }

  /// Runs a command line that starts with the program's name, and exits.
  static func run(_ arguments: [String]) -> Never {
    do throws(ToolError) {
      try invoke(Array(arguments.dropFirst()))
    } catch {
      Notice.write(error.text)
      Process.end(error.code.rawValue)
    }
    Process.end(0)
  }

  private static func versions() -> [String] {
    BuildVersions.lines + PNG.LibraryVersions.lines + Text.LibraryVersions.lines
      + Touch.LibraryVersions.lines + JSON.LibraryVersions.lines + Nettle.LibraryVersions.lines
  }

  private static func invoke(_ words: [String]) throws(ToolError) {
    let invocation: Invocation
    do throws(UsageError) { invocation = try command.parse(words, versions: versions) } catch {
      throw ToolError(error)
    }
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

/// A subcommand: its description, its parsed options and its work.
protocol Runnable {
  static var command: Command { get }
  init(_ arguments: Arguments) throws(UsageError)
  func run() throws(ToolError)
}

/// A subcommand of `paraph`.
struct Subcommand {
  let command: Command
  /// Empty unless it is a group.
  let subcommands: [Subcommand]
  /// Runs the subcommand; a group does nothing.
  let run: (Arguments) throws(ToolError) -> Void

  /// The subcommand of a type.
  init<Type: Runnable>(_ type: Type.Type) {
    command = Type.command
    subcommands = []
    run = { (arguments: Arguments) throws(ToolError) in
      let runnable: Type
      do throws(UsageError) { runnable = try Type(arguments) } catch { throw ToolError(error) }
      try runnable.run()
    }
  }

  /// A group of subcommands.
  init(_ name: String, _ abstract: String, _ subcommands: [Subcommand]) {
    command = Command(name, abstract, subcommands: subcommands.map { $0.command })
    self.subcommands = subcommands
    run = { (_: Arguments) throws(ToolError) in }
  }
}
