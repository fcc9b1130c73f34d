internal import ArgumentParser
import CLinux
import JSON
import Linux

struct Sign: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks the person at the running pad for a signature.",
    discussion: """
      Waits for the signature, prints its id, and writes what was asked for. Ends with 0 if there is a \
      signature, 1 if it was cancelled, 2 if nobody signed in time, 3 if the pad is out of service, 4 if \
      the pad ended meanwhile: repeat the request with the same reference to resume it. 69: there is no \
      pad; 73 or 74: an output cannot be written, 75: the pad is busy, 77: this user may not ask it. To \
      interrupt this program cancels the request.
      """)

  @Option(help: "What is signed for; it is kept with the signature, and not shown.")
  var reference: String?

  @Option(help: "One line above the prompt.")
  var title: String?

  @Option(help: "What is signed; by default \"Please sign here\" in the pad's language.")
  var prompt: String?

  @Option(help: "The language of the words on the pad, such as de.")
  var language: String?

  @Option(help: ArgumentHelp("How long the person may take.", valueName: "seconds"))
  var timeout: Double?

  @Flag(help: "Give the person a button Cancel.")
  var cancellable = false

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "Write the signature: .png, .svg, .inkml, or .json for its strokes. Can be given several times.",
      valueName: "file"), completion: .file(extensions: ["png", "svg", "inkml", "json"]))
  var outputs: [String] = []

  @Flag(name: .shortAndLong, help: "Say on standard error what the pad does meanwhile.")
  var verbose = false

  @OptionGroup var pad: PadSocket

  func validate() throws {
    for output in outputs where SignatureOutput(output) == nil {
      throw ValidationError("\(output) must end in .png, .svg, .inkml or .json")
    }
    if let timeout, !(timeout > 0 && timeout <= 86400) {
      throw ValidationError("--timeout must be from above 0 to 86400 seconds")
    }
  }

  func run() throws {
    // Nobody signs for an output that cannot be written.
    for output in outputs { try OutputFile.check(output) }
    var connection = try PadConnection(pad.path)
    let answer: JSONValue
    do throws(PadRefusal) {
      answer = try connection.call("Sign", parameters, more: verbose) { reply in
        if verbose, let state = reply["state"]?.text { Notice.write(state) }
      }
    } catch { throw error.whileWaiting }
    switch answer["state"]?.text {
    case "saved": try keep(answer["signature"])
    case "timed_out": throw ToolError(.timedOut, "nobody signed in time")
    default:
      let by = answer["cancelled_by"]?.text ?? "somebody"
      throw by == "pad"
        ? ToolError(.padEnded, "the pad ended before there was a signature")
        : ToolError(.cancelled, "cancelled by the \(by)")
    }
  }

  private var parameters: [(String, JSONValue)] {
    var parameters: [(String, JSONValue)] = []
    let texts = [
      ("reference", reference), ("title", title), ("prompt", prompt), ("language", language),
    ]
    for (name, text) in texts { if let text { parameters.append((name, .text(text))) } }
    if let timeout { parameters.append(("time_limit", .real(timeout))) }
    if cancellable { parameters.append(("cancellable", .flag(true))) }
    let formats = outputs.compactMap { SignatureOutput($0)?.format.rawValue }
    parameters.append(("formats", .array(Set(formats).sorted().map { .text($0) })))
    return parameters
  }

  private func keep(_ signature: JSONValue?) throws {
    guard let signature, let id = signature["id"]?.text else {
      throw ToolError(.unavailable, "the pad answers without a signature")
    }
    // First: with its id a signature can be had again, whatever becomes of the outputs.
    let printed = Result {
      var output = StandardOutput()
      try output.line(id)
      try output.flush()
    }
    let written = outputs.map { path in Result { try write(signature, id, to: path) } }
    for result in [printed] + written { try result.get() }
  }

  private func write(_ signature: JSONValue, _ id: String, to path: String) throws {
    guard let output = SignatureOutput(path) else { return }
    guard let bytes = output.bytes(of: signature) else {
      throw ToolError(
        .unavailable,
        "signature \(id) was saved, but the pad does not send it as \(output.format.rawValue)")
    }
    try OutputFile.write(bytes, to: path)
  }
}
