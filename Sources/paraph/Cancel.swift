import Commands
import JSON

struct Cancel: Runnable {
  static var command: Command {
    Command(
      "cancel", "Cancel the request, message or question that is open.",
      options: [
        Option("reference", value: "TEXT", "Cancel only a request with this reference."),
        Option(flag: "without-ink", "Cancel only a request without ink."),
        PadSocket.option,
      ],
      examples: [
        Command.Example(
          "paraph cancel --reference 4711", "Cancel the request of 'paraph sign --reference 4711'.")
      ],
      exitCodes: [
        Command.ExitCode(
          0,
          "The request is over, or the pad has not said so within two seconds. If Done was pressed before, the "
            + "signature may be saved: the exit code of 'paraph sign', or the spool, tells. With --without-ink: the "
            + "request is over, and was not signed."),
        Command.ExitCode(1, "Nothing was cancelled: no such request was open, or it has ink."),
        Command.ExitCode(69, "The pad does not run."),
      ])
  }

  private let reference: String?
  private let isWithoutInk: Bool
  private let pad: PadSocket

  init(_ arguments: Arguments) throws(UsageError) {
    reference = arguments.value("reference")
    isWithoutInk = arguments.has("without-ink")
    pad = PadSocket(arguments)
  }

  func run() throws(ToolError) {
    var connection = try PadConnection(pad.path)
    var parameters: [(String, JSONValue)] = []
    if let reference { parameters.append(("reference", .text(reference))) }
    if isWithoutInk { parameters.append(("without_ink", .flag(true))) }
    do throws(CallError) {
      _ = try connection.call("Cancel", parameters)
    } catch {
      if case .answer("org.paraph.Pad.NoRequest", _) = error {
        throw ToolError(
          .cancelled,
          "no open request" + (reference == nil ? "" : " with that reference")
            + (isWithoutInk ? ", or it has ink" : ""))
      }
      throw error.toolError
    }
  }
}
