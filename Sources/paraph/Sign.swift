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
          + "request.",
        "A PDF is rendered by pdftoppm of the package poppler-utils. Messages of pdftoppm about a page, for example that "
          + "it has no font for a text, are printed on standard error. While the person reads a document, the time limit "
          + "counts from the last touch.",
      ],
      options: [
        Option("reference", value: "TEXT", "Store TEXT with the signature. It is not shown."),
        Option("title", value: "TEXT", "Show one line above the prompt."),
        Option(
          "prompt", value: "TEXT",
          "Show what is signed. Without it, \"Please sign here\" in the pad's language."),
        Option(
          "document", value: "FILE", values: .file(["pdf", "png", "txt"]),
          "Show the pages of FILE first: a PDF, a PNG, or a text in UTF-8 whose name ends in .txt."),
        Option(
          "document-name", value: "TEXT",
          "Store TEXT as the document's name. Without it, the file's name."),
        Option(flag: "early", "Let the person sign before the document's last page was shown."),
        Option("language", value: "CODE", "Set the language of the pad's words, such as de."),
        Option("timeout", value: "SECONDS", "Give up after this time, at most 86400 seconds."),
        Option(flag: "cancellable", "Add a button Cancel."),
        Option(
          "output", short: "o", value: "FILE", values: .file(["png", "svg", "inkml", "json"]),
          isRepeatable: true,
          "Write the signature to FILE: .png, .svg, .inkml, or .json for its strokes."),
        Option(
          flag: "json",
          "Print the signature's description as JSON instead of its id: also its digest, its time and the document's pages."
        ),
        Option(
          flag: "verbose", short: "v", "Print the pad's state on standard error when it changes."),
        PadSocket.option,
      ],
      examples: [
        Command.Example(
          "paraph sign --reference 4711 --prompt 'Parcel 4711' -o parcel.png",
          "Ask for a signature and write it as a picture."),
        Command.Example(
          "paraph sign --document contract.pdf --json",
          "Let a person read a contract and sign it."),
      ],
      exitCodes: [
        Command.ExitCode(0, "The signature is saved."),
        Command.ExitCode(1, "The request was cancelled."),
        Command.ExitCode(2, "The time limit passed without a signature."),
        Command.ExitCode(3, "The pad is out of service."),
        Command.ExitCode(
          4, "The pad ended meanwhile; repeat the request with the same reference to resume it."),
        Command.ExitCode(
          65,
          "The document cannot be shown, and the message names the page; or the pad is full of other documents: "
            + "repeat the command later."),
        Command.ExitCode(66, "The document cannot be opened, or is not a regular file."),
        Command.ExitCode(
          69,
          "The pad does not run, or a PDF needs the package poppler-utils. If the id is printed, "
            + "the signature is saved, and the pad gives out an output sealed only."),
        Command.ExitCode(
          73,
          "An output cannot be created. The request was not made, unless the id is printed."),
        Command.ExitCode(
          74, "An output cannot be written. If the id is printed, the signature is saved."),
        Command.ExitCode(75, "The pad is busy with another request."),
        Command.ExitCode(
          77, "The pad does not accept requests of this user, or the document may not be read."),
      ])
  }

  private let texts: [(name: String, value: String?)]
  private let timeout: Double?
  private let isCancellable: Bool
  private let outputs: [String]
  private let document: (path: String, name: String?, isEarly: Bool)?
  private let isJSON: Bool
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
    let name = arguments.value("document-name")
    let isEarly = arguments.has("early")
    document = arguments.value("document").map { ($0, name, isEarly) }
    for option in ["document-name", "early"] where document == nil && arguments.has(option) {
      throw arguments.error("option '--\(option)' needs '--document'")
    }
    isJSON = arguments.has("json")
    isVerbose = arguments.has("verbose")
    pad = PadSocket(arguments)
  }

  /// Asks for the signature, and uploads the document unless the pad still has it.
  private func sign(
    _ upload: DocumentUpload?, until deadline: Int64?, over connection: inout PadConnection
  ) throws(ToolError) -> JSONValue {
    do throws(CallError) {
      guard let upload else { return try call(nil, until: deadline, &connection) }
      // A request that was interrupted resumes, and its pages are with the pad.
      var uploads = parameters.contains(where: { $0.0 == "reference" }) ? 0 : 1
      while true {
        do throws(CallError) {
          let description =
            try uploads == 0 ? upload.description(pages: 1) : upload.upload(to: &connection)
          return try call(description, until: deadline, &connection)
        } catch {
          // The pad may also lose a document that was uploaded, for a page that a person reads.
          guard uploads < 2, case .badDocument(_, _, isLost: true) = error else { throw error }
          uploads += 1
        }
      }
    } catch { throw document.map { error.ofDocument($0.path) } ?? error.whileWaiting }
  }

  private func call(
    _ document: JSONValue?, until deadline: Int64?, _ connection: inout PadConnection
  ) throws(CallError) -> JSONValue {
    var parameters = parameters
    if let document { parameters.append(("document", document)) }
    if let timeout, let deadline {
      // Rendering and uploading take their time.
      let left = document == nil ? timeout : Double(deadline - MonotonicClock.now) / 1e9
      if left <= 0 { throw .failure(.noSignatureInTime) }
      parameters.append(("time_limit", .real(left)))
    }
    return try connection.call("Sign", parameters, more: isVerbose) { reply in
      if isVerbose { report(reply) }
    }
  }

  func run() throws(ToolError) {
    // Checked before the person signs.
    for output in outputs { try OutputFile.check(output) }
    let deadline = timeout.map { MonotonicClock.now + Int64($0 * 1e9) }
    var upload: DocumentUpload?
    if let (path, name, isEarly) = document {
      upload = try DocumentUpload(
        DocumentFile(path), name: name, isEarly: isEarly, deadline: deadline)
    }
    var connection = try PadConnection(pad.path)
    let answer = try sign(upload, until: deadline, over: &connection)
    switch answer["state"]?.text {
    case "saved": try keep(answer["signature"])
    case "timed_out": throw .noSignatureInTime
    default:
      throw .cancelled(answer, padEnded: "the pad ended before the signature was complete")
    }
  }

  /// Prints the state, and the page that is read.
  private func report(_ reply: JSONValue) {
    guard let state = reply["state"]?.text else { return }
    Notice.write(reply["page"]?.integer.map { "\(state) page \($0)" } ?? state)
  }

  private var parameters: [(String, JSONValue)] {
    var parameters: [(String, JSONValue)] = []
    for (name, text) in texts { if let text { parameters.append((name, .text(text))) } }
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
    // Printed first: the id identifies the signature if an output fails.
    attempt { () throws(ToolError) in
      var output = StandardOutput()
      try output.line(isJSON ? description(of: signature) : id)
      try output.flush()
    }
    for path in outputs { attempt { () throws(ToolError) in try write(signature, id, to: path) } }
    if let failure { throw failure }
  }

  /// The members but the files, as JSON.
  private func description(of signature: JSONValue) -> String {
    let members = (signature.members ?? []).filter {
      SignatureOutput.Format(rawValue: $0.name) == nil
    }
    let object = JSONValue.object(members.map { ($0.name, $0.value) })
    return String(decoding: object.bytes(.lines), as: UTF8.self)
  }

  private func write(_ signature: JSONValue, _ id: String, to path: String) throws(ToolError) {
    guard let output = SignatureOutput(path) else { return }
    guard let bytes = output.bytes(of: signature) else {
      let name = output.format.rawValue
      let cause =
        signature["sealed"] == nil
        ? "the pad's reply has no \(name)" : "the pad gives out \(name) sealed only"
      throw ToolError(.unavailable, "signature \(id) was saved, but \(cause)")
    }
    try OutputFile.write(bytes, to: path)
  }
}
