import CLinux
import Client
import Commands
import JSON
import Linux

struct Sign: Runnable {
  static var command: Command {
    Command(
      "sign", "Ask for a signature on the running pad.",
      discussion: [
        "Waits for the signature, prints its id, and writes the outputs. Interrupting this program cancels the "
          + "request."
      ],
      options: [
        Option("reference", value: "TEXT", "Store TEXT with the signature. It is not shown."),
        Option("title", value: "TEXT", "Show one line above the prompt."),
        Option(
          "prompt", value: "TEXT",
          "Show what is signed. Without it, \"Please sign here\" in the pad's language."),
        Option("language", value: "CODE", "Set the language of the pad's words, such as de."),
        Option("timeout", value: "SECONDS", "Give up after this time, at most 86400 seconds."),
        Option(flag: "cancellable", "Add a button Cancel."),
        Option(
          "output", short: "o", value: "FILE", values: .file(["png", "svg", "inkml", "json"]),
          isRepeatable: true,
          "Write the signature to FILE: .png, .svg, .inkml, or .json for its strokes."),
        Option(
          flag: "verbose", short: "v", "Print the pad's state on standard error when it changes."),
        PadSocket.option,
      ],
      examples: [
        Command.Example(
          "paraph sign --reference 4711 --prompt 'Parcel 4711' -o parcel.png",
          "Ask for a signature and write it as a picture.")
      ],
      exitCodes: [
        Command.ExitCode(0, "The signature is saved."),
        Command.ExitCode(1, "The request was cancelled."),
        Command.ExitCode(2, "The time limit passed without a signature."),
        Command.ExitCode(3, "The pad is out of service."),
        Command.ExitCode(
          4, "The pad ended meanwhile; repeat the request with the same reference to resume it."),
        Command.ExitCode(69, "The pad does not run."),
        Command.ExitCode(73, "An output cannot be created; the request was not made."),
        Command.ExitCode(74, "An output cannot be written."),
        Command.ExitCode(75, "The pad is busy with another request."),
        Command.ExitCode(77, "The pad does not accept requests of this user."),
      ])
  }

  private let texts: [(name: String, value: String?)]
  private let timeout: Double?
  private let isCancellable: Bool
  private let outputs: [String]
  private let isVerbose: Bool
  private let pad: PadSocket

  init(_ arguments: Arguments) throws(UsageError) {
    texts = ["reference", "title", "prompt", "language"].map { ($0, arguments.value($0)) }
    timeout = try arguments.timeLimit()
    isCancellable = arguments.has("cancellable")
    outputs = arguments.values("output")
    for output in outputs where SignatureOutput(output) == nil {
      throw arguments.error(
        "option '--output': '\(output)' does not end in .png, .svg, .inkml or .json")
    }
    isVerbose = arguments.has("verbose")
    pad = PadSocket(arguments)
  }

  func run() throws(ToolError) {
    // Checked before the person signs.
    for output in outputs { try OutputFile.check(output) }
    var connection = try PadConnection(pad.path)
    let answer: JSONValue
    do throws(CallError) {
      answer = try connection.call("Sign", parameters, more: isVerbose) { reply in
        if isVerbose, let state = reply["state"]?.text { Notice.write(state) }
      }
    } catch { throw error.whileWaiting }
    switch answer["state"]?.text {
    case "saved": try keep(answer["signature"])
    case "timed_out": throw ToolError(.timedOut, "timed out without a signature")
    default:
      throw .cancelled(answer, padEnded: "the pad ended before the signature was complete")
    }
  }

  private var parameters: [(String, JSONValue)] {
    var parameters: [(String, JSONValue)] = []
    for (name, text) in texts { if let text { parameters.append((name, .text(text))) } }
    if let timeout { parameters.append(("time_limit", .real(timeout))) }
    if isCancellable { parameters.append(("cancellable", .flag(true))) }
    let formats = outputs.compactMap { SignatureOutput($0)?.format.rawValue }
    parameters.append(("formats", .array(Set(formats).sorted().map { .text($0) })))
    return parameters
  }

  private func keep(_ signature: JSONValue?) throws(ToolError) {
    guard let signature, let id = signature["id"]?.text else {
      throw ToolError(.unavailable, "the pad's reply has no signature")
    }
    var failure: ToolError?
    func attempt(_ work: () throws(ToolError) -> Void) {
      do throws(ToolError) { try work() } catch { failure = failure ?? error }
    }
    // Prints the id first, which identifies the signature if an output fails.
    attempt { () throws(ToolError) in
      var output = StandardOutput()
      try output.line(id)
      try output.flush()
    }
    for path in outputs { attempt { () throws(ToolError) in try write(signature, id, to: path) } }
    if let failure { throw failure }
  }

  private func write(_ signature: JSONValue, _ id: String, to path: String) throws(ToolError) {
    guard let output = SignatureOutput(path) else { return }
    guard let bytes = output.bytes(of: signature) else {
      throw ToolError(
        .unavailable,
        "signature \(id) was saved, but the pad's reply has no \(output.format.rawValue)")
    }
    try OutputFile.write(bytes, to: path)
  }
}

/// An output file of `paraph sign`.
private struct SignatureOutput {
  /// A format by its name in the pad's interface.
  enum Format: String {
    case png, svg, inkml, strokes
  }

  let format: Format

  /// Nil for an unknown suffix.
  init?(_ path: String) {
    if path.hasASCIISuffix(".json") {
      format = .strokes
    } else if path.hasASCIISuffix(".png") {
      format = .png
    } else if path.hasASCIISuffix(".svg") {
      format = .svg
    } else if path.hasASCIISuffix(".inkml") {
      format = .inkml
    } else {
      return nil
    }
  }

  /// The file's content in a reply; nil if it is missing.
  func bytes(of signature: JSONValue) -> [UInt8]? {
    guard let value = signature[format.rawValue] else { return nil }
    if format == .strokes { return value.bytes(.lines, digits: 9) + [UInt8(ascii: "\n")] }
    return value.base64Bytes
  }
}
