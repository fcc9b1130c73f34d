import Commands
import Configuration
import Linux
import Pad
import Raster

struct Preview: Runnable {
  static var command: Command {
    Command(
      "preview", "Draw what the pad would show into a PNG file.",
      discussion: [
        "Needs no pad and no panel: it reads the theme, fonts and languages from the configuration. A text that "
          + "does not fit the panel is refused, as the pad refuses it."
      ],
      options: [
        Option(
          "output", short: "o", value: "FILE", values: .file(["png"]), isRequired: true,
          "Write the picture to FILE."),
        Option("title", value: "TEXT", "Show one line above the prompt or the message."),
        Option("prompt", value: "TEXT", "Show this text instead of the pad's own prompt."),
        Option("message", value: "TEXT", "Show a message with a button OK instead of a request."),
        Option("question", value: "TEXT", "Show a question instead of a request."),
        Option(
          "choice", value: "TEXT", isRepeatable: true,
          "Add a button to the question; it has two to four."),
        Option(
          "document", value: "FILE", values: .file(["pdf", "png", "txt"]),
          "Show a page of this document, which is read before signing."),
        Option("page", value: "NUMBER", "Show this page of the document; by default, the first."),
        Option(
          "slide", value: "FILE", values: .file(["png"]),
          "Show this picture of [pad] slides instead of a request."),
        Option("language", value: "CODE", "Set the language of the request, such as de."),
        Option(flag: "cancellable", "Add a button Cancel."),
        Option("timeout", value: "SECONDS", "Show this time limit."),
        Option(
          "pixels", value: "WxH",
          "Set the panel's size in pixels; by default, that of [display] pixels."),
        Option(
          "size", value: "WxH",
          "Set the panel's size in millimetres; by default, that of [display] size, else 96 dpi."),
        PadSettings.option,
      ],
      examples: [
        Command.Example(
          "paraph preview --title 'Parcel 4711' --language de -o screen.png",
          "See how a request looks with the installed theme."),
        Command.Example(
          "paraph preview -c theme.conf --pixels 800x480 --size 154x86 -o screen.png",
          "See a theme on another panel."),
      ],
      exitCodes: [
        Command.ExitCode(
          65, "A text does not fit the panel, or the slide or the document cannot be shown."),
        Command.ExitCode(66, "The document cannot be read."),
        Command.ExitCode(69, "The document is a PDF, and poppler-utils is not installed."),
        Command.ExitCode(78, "The configuration is invalid."),
      ])
  }

  private let output: String
  private let pixels: (width: Double, height: Double)?
  private let size: (width: Double, height: Double)?
  private let settings: PadSettings
  private var request = PadPreview.Request()
  private let document: String?

  init(_ arguments: Arguments) throws(UsageError) {
    output = try arguments.required("output")
    pixels = try arguments.size("pixels", "as 800x480, from 100x100 to 8192x8192") {
      $0 >= 100 && $0 <= 8192 && $0.rounded() == $0
    }
    size = try arguments.size("size", "in millimetres as 154x86, from 10x10 to 2000x2000") {
      $0 >= 10 && $0 <= 2000
    }
    settings = PadSettings(arguments)
    request.title = arguments.value("title")
    request.prompt = arguments.value("prompt")
    request.message = arguments.value("message")
    request.language = arguments.value("language")
    request.isCancellable = arguments.has("cancellable")
    request.question = arguments.value("question")
    request.choices = arguments.values("choice")
    request.slide = arguments.value("slide")
    if request.slide != nil {
      for option in [
        "title", "prompt", "message", "question", "timeout", "language", "cancellable",
        "document",
      ]
      where arguments.value(option) != nil || arguments.has(option) {
        throw arguments.error("option '--\(option)' is for requests; '--slide' shows none")
      }
    }
    document = arguments.value("document")
    let page = try arguments.number("page", "the number of a page from 1 to 1000") {
      $0 >= 1 && $0 <= 1000 && $0.rounded() == $0
    }
    if page != nil, document == nil {
      throw arguments.error("option '--page' is for documents; '--document' is missing")
    }
    if document != nil {
      for option in ["message", "question"] where arguments.value(option) != nil {
        throw arguments.error("option '--\(option)' is not for requests with '--document'")
      }
    }
    request.page = page.map { Int($0) - 1 } ?? 0
    if request.question != nil {
      for option in ["prompt", "message"] where arguments.value(option) != nil {
        throw arguments.error("option '--\(option)' is not for questions")
      }
      if request.isCancellable {
        throw arguments.error("option '--cancellable' is not for questions")
      }
      if !(2...4).contains(request.choices.count) {
        throw arguments.error(
          "option '--choice': a question has 2 to 4, not \(request.choices.count)")
      }
    } else if !request.choices.isEmpty {
      throw arguments.error("option '--choice' is for questions; '--question' is missing")
    }
    if request.message != nil {
      for option in ["prompt", "timeout"] where arguments.value(option) != nil {
        throw arguments.error("option '--\(option)' is for requests; '--message' is none")
      }
      if request.isCancellable {
        throw arguments.error("option '--cancellable' is for requests; '--message' is none")
      }
    }
    let limit = try arguments.number("timeout", "a whole number of seconds from 1 to 86400") {
      $0 >= 1 && $0 <= 86_400 && $0.rounded() == $0
    }
    request.timeLimit = limit.map { Int($0) }
  }

  func run() throws(ToolError) {
    let configuration = try settings.read()
    let display = configuration.display
    let isTurned = (display.rotation ?? 0) % 180 != 0
    let configured = (width: Double(display.pixels.width), height: Double(display.pixels.height))
    let (width, height) = pixels ?? (isTurned ? (configured.height, configured.width) : configured)
    let mounted = display.size.map { (width: Double($0.width), height: Double($0.height)) }
    let glass = size ?? mounted.map { isTurned ? ($0.height, $0.width) : $0 }
    let scale =
      glass.map { Scale(x: Float(width / $0.width), y: Float(height / $0.height)) }
      ?? Scale(dpi: 96)
    var request = request
    if let document {
      request.document = try DocumentPreview.document(
        document, page: request.page, width: Int(width))
    }
    let preview = PadPreview(configuration, width: Int(width), height: Int(height), scale: scale)
    let png: [UInt8]
    do throws(PadPreview.Refusal) {
      png = try preview.png(of: request) { Notice.write($0) }
    } catch {
      switch error {
      case .tooLong(let parameter, let limit):
        // The pad's interface calls the words of a message and of a question "text".
        let option =
          switch parameter {
          case "text": request.question == nil ? "message" : "question"
          case "choices": "choice"
          default: parameter
          }
        throw ToolError(
          .data, "\(option) is too long for the panel: \(limit) characters fit")
      case .invalidLanguage(let tag):
        throw ToolError(
          .usage, "option '--language' takes a language tag such as de or pt-BR, not '\(tag)'")
      case .unusableSlide(let reason): throw ToolError(.data, reason)
      case .unusablePage(let reason): throw ToolError(.data, "\(document ?? ""): \(reason)")
      case .failed(let reason): throw ToolError(.config, reason)
      }
    }
    try OutputFile.write(png, to: output)
  }
}

extension Arguments {
  /// The value of an option such as "800x480"; nil if it is not given.
  fileprivate func size(
    _ option: String, _ range: String, where isAccepted: (Double) -> Bool
  ) throws(UsageError) -> (width: Double, height: Double)? {
    guard let text = value(option) else { return nil }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map {
      Arguments.number(String($0))
    }
    if parts.count == 2, let width = parts[0], let height = parts[1], isAccepted(width),
      isAccepted(height)
    {
      return (width, height)
    }
    throw error("option '--\(option)' takes a size \(range), not '\(text)'")
  }
}
