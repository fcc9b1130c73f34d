public import Configuration
internal import Control
internal import Ink
internal import PNG
public import Raster
internal import Screen
internal import Text

/// Draws what the pad would show for a request, without a panel.
public struct PadPreview {
  /// The request for a signature, the message, or the question.
  public struct Request {
    /// A message, with a button *OK*; nil: none.
    public var message: String?
    /// A question; nil: none.
    public var question: String?
    /// The answers to the question: two to four.
    public var choices: [String] = []
    /// A PNG that the waiting pad shows; nil: a request is shown.
    public var slide: String?
    /// The heading.
    public var title: String?
    /// The text below the heading; nil: the pad's own.
    public var prompt: String?
    /// A language tag; nil: the configured one.
    public var language: String?
    /// Whether a signature has a button *Cancel*.
    public var isCancellable = false
    /// What is read before signing; nil: nothing.
    public var document: Document?
    /// The page of the document, from 0.
    public var page = 0
    /// The time limit in whole seconds, which is shown; nil: none.
    public var timeLimit: Int?

    /// A request for a signature with the pad's own words.
    public init() {}
  }

  /// A document that is read before signing.
  public enum Document {
    /// The PNG file of each page: at least one.
    case pictures([[UInt8]])
    /// A text.
    case text(String)
  }

  /// Why there is no picture.
  public enum Refusal: Error {
    /// A text does not fit the panel; `limit` code points of it do.
    case tooLong(parameter: String, limit: Int)
    /// The document has no such page, or it cannot be shown.
    case unusablePage(String)
    /// The text is not a language tag.
    case invalidLanguage(String)
    /// The slide cannot be shown; the reason has its path.
    case unusableSlide(String)
    /// FreeType cannot start, or the picture cannot be encoded.
    case failed(String)
  }

  private let configuration: PadConfiguration
  private let screen: ScreenGeometry

  /// Creates a preview for a panel as its viewer sees it.
  ///
  /// - Parameters:
  ///   - width: In pixels.
  ///   - height: In pixels.
  ///   - scale: Pixels per millimetre.
  public init(_ configuration: PadConfiguration, width: Int, height: Int, scale: Scale) {
    self.configuration = configuration
    screen = ScreenGeometry(width: width, height: height, scale: scale)
  }

  /// Returns the picture as PNG.
  ///
  /// - Parameter log: Receives a line for each part of the theme, font or catalogue that cannot be used.
  public func png(
    of request: Request, log: @escaping (String) -> Void
  ) throws(Refusal) -> [UInt8] {
    if let tag = request.language, Language(tag) == nil { throw .invalidLanguage(tag) }
    let builder: SceneBuilder
    do throws(FontError) {
      builder = try SceneBuilder(configuration, on: screen, log: log)
    } catch { throw .failed(error.text) }
    var rules = SessionRules()
    // A pad that invites shows slides only after a while without touches.
    rules.invites = request.slide == nil
    var model = PadModel(
      width: screen.width, height: screen.height, scale: screen.scale,
      model: StrokeModel.Kind(configuration.ink), theme: Theme(configuration), minimumLength: 0,
      rules: rules, capacity: 1)
    model.setScenes(builder.resting())
    if let path = request.slide {
      do throws(PictureReadError) {
        model.setSlide(
          try Slide.painted(
            path, on: screen, ground: configuration.theme.colours.ground, read: PictureFile.read))
      } catch { throw .unusableSlide(error.reason) }
    } else {
      let typeset = builder.typeset(request.padRequest, try request.document?.content)
      if let overflow = typeset.scene.overflow {
        throw .tooLong(parameter: overflow.parameter, limit: overflow.limit)
      }
      model.open(typeset, at: 0)
      if let document = request.document {
        try read(document, page: request.page, typeset.scene, builder, in: &model)
      }
    }
    _ = model.compose()
    let pixels = model.canvas.pixels
    let header = PNGHeader(
      width: screen.width, height: screen.height, pixels: .xrgb, scale: screen.scale,
      texts: [.software("Paraph")])
    do throws(PNGError) {
      return try unsafe PNGFile.encode(pixels.span.bytes, as: header)
    } catch { throw .failed(error.text) }
  }
}

extension PadPreview {
  /// Turns to a page of a document, and prepares it.
  private func read(
    _ document: Document, page: Int, _ scene: Scene, _ builder: SceneBuilder,
    in model: inout PadModel
  ) throws(Refusal) {
    if scene.reading?.isTooMixed == true { throw .unusablePage(DocumentText.tooMixed.reason) }
    guard let reading = scene.reading, reading.pages.indices.contains(page) else {
      throw .unusablePage("the document has \(scene.reading?.pages.count ?? 0) pages")
    }
    for _ in 0..<page { _ = model.press(.forward, for: 0, at: 0) }
    _ = model.takeWantedPages()
    let sheet: Sheet?
    switch document {
    case .text: sheet = builder.sheet(of: page, in: scene)
    case .pictures(let files):
      let area = reading.pixels(screen.scale, width: screen.width, height: screen.height)
      do throws(PagePicture.PageError) {
        sheet = .picture(
          try PagePicture(
            files[page], width: area.width, limit: RequestDocument.memoryLimit))
      } catch { throw .unusablePage("page \(page + 1): \(error.reason)") }
    }
    if let sheet { model.take(sheet, page: page, of: scene, at: 0) }
  }
}

extension PadPreview.Document {
  fileprivate var content: DocumentContent {
    get throws(PadPreview.Refusal) {
      switch self {
      case .text(let text): return .text(text)
      case .pictures(let files):
        var pictures: [DocumentContent.Picture] = []
        for (index, file) in files.enumerated() {
          do throws(PNGError) {
            let (width, height) = try PNGFile.read(
              file, pixelLimit: PagePicture.pixelLimit,
              interlacedLimit: PagePicture.interlacedLimit
            ) { (rows) throws(PNGError) in (rows.width, rows.height) }
            pictures.append(DocumentContent.Picture(digest: "", width: width, height: height))
          } catch { throw .unusablePage("page \(index + 1): \(error.text)") }
        }
        return .pictures(pictures)
      }
    }
  }
}

extension PadPreview.Request {
  fileprivate var padRequest: PadRequest {
    let kind: PadRequest.Kind =
      question != nil ? .question : message != nil ? .message : .signature
    var request = PadRequest(kind, number: 1)
    request.title = title
    request.text = question ?? message ?? prompt
    request.choices = choices
    request.language = language
    request.hasButton = message != nil || isCancellable
    request.timeLimit = timeLimit.map { Int64($0) * 1_000_000_000 }
    return request
  }
}
