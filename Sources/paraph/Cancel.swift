import Commands
import JSON

struct Cancel: Runnable {
  static var command: Command {
    Command(
      "cancel", "Cancel the request that is open on the running pad.",
      options: [
        Option("reference", value: "TEXT", "Cancel only a request with this reference."),
        PadSocket.option,
      ],
      examples: [
        Command.Example(
          "paraph cancel --reference 4711", "Cancel the request of 'paraph sign --reference 4711'.")
      ],
      exitCodes: [
        Command.ExitCode(0, "The request was cancelled."),
        Command.ExitCode(1, "No such request was open."),
        Command.ExitCode(69, "The pad does not run."),
      ])
  }

  private let reference: String?
  private let pad: PadSocket

  init(_ arguments: Arguments) throws(UsageError) {
    reference = arguments.value("reference")
    pad = PadSocket(arguments)
  }

  func run() throws(ToolError) {
    var connection = try PadConnection(pad.path)
    do throws(CallError) {
      _ = try connection.call("Cancel", reference.map { [("reference", .text($0))] } ?? [])
    } catch {
      if case .answer("org.paraph.Pad.NoRequest", _) = error {
        throw ToolError(
          .cancelled, reference == nil ? "no open request" : "no open request with that reference")
      }
      throw error.toolError
    }
  }
}
