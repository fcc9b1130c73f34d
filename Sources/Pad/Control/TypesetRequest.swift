internal import Configuration
internal import Control
internal import Ink
internal import Raster
internal import Screen
internal import Text

/// A request and its scene. The main thread makes it, the render thread shows it.
struct TypesetRequest: Sendable {
  var request: PadRequest
  var scene: Scene

  var number: Int64 { request.number }

  /// The scene with icons instead of words.
  func iconScene(glass: Point, scale: Scale) -> Scene {
    var parts = scene.layout.parts
    // No icon tells a choice: the question has no buttons until its words are typeset.
    parts.choices = nil
    return Scene(
      number: number, layout: Layout(width: glass.x, height: glass.y, parts: parts),
      title: scene.title, prompt: scene.prompt,
      reading: iconReading(glass: glass, scale: scale, parts: parts))
  }

  /// The pages of the request's document with icons alone; nil: it has none.
  func iconReading(glass: Point, scale: Scale, parts: LayoutParts) -> Reading? {
    request.document.map { document in
      Reading(
        DocumentContent(document.upload), glass: glass,
        pixelAspect: scale.x / scale.y, parts: parts, isEarly: document.isEarly,
        textDigest: document.upload?.textDigest)
    }
  }
}

extension DocumentContent {
  /// The pages as they were uploaded; of a text, an empty one.
  init(_ upload: DocumentUpload?, text: String = "") {
    self =
      upload?.pages.map { pages in
        .pictures(
          pages.map { Picture(digest: $0.digest, width: $0.width, height: $0.height) })
      } ?? .text(text)
  }
}

extension SceneBuilder {
  /// Loads the theme, fonts and catalogues of the configuration for a panel.
  ///
  /// - Parameter log: Receives a line for each file that cannot be used.
  init(
    _ configuration: PadConfiguration, on screen: ScreenGeometry, log: @escaping (String) -> Void
  ) throws(FontError) {
    let text = configuration.text
    let theme = ResolvedTheme(
      configuration.theme, on: screen, undo: configuration.pad.undo, isLarge: text.isLarge,
      read: PictureFile.read)
    for line in theme.warnings { log(line) }
    let fonts = try FontStack(
      fonts: (text.font.map { [$0] } ?? []) + text.fallbackFonts, report: log)
    self.init(
      typesetter: Typesetter(fonts: fonts),
      catalogues: CatalogueFolder(text.catalogues, report: log),
      language: Language(text.language) ?? .english, glass: screen.glass,
      pixelAspect: screen.scale.x / screen.scale.y,
      undo: configuration.pad.undo, options: theme.options, picture: theme.picture)
  }

  /// Typesets an open request. If its text is too long for the panel, the letters may be too small
  /// to read.
  ///
  /// - Parameter log: Receives a line if the text is too long.
  func typeset(
    open request: PadRequest, _ document: DocumentContent?, log: (String) -> Void
  ) -> TypesetRequest {
    let typeset = typeset(request, document)
    guard let overflow = typeset.scene.overflow else { return typeset }
    log(
      "device: the \(overflow.parameter) of the open request is too long for this panel; it is shown in letters that"
        + " are hard to read")
    return shrinking.typeset(request, document)
  }

  /// Typesets a request.
  ///
  /// - Parameter document: What is read before signing; nil: nothing.
  func typeset(_ request: PadRequest, _ document: DocumentContent? = nil) -> TypesetRequest {
    let scene =
      switch request.kind {
      case .signature:
        signature(
          request.number, title: request.title, prompt: request.text, language: request.language,
          cancel: request.hasButton,
          countdown: request.timeLimit != nil || request.deadline != nil, document: document,
          isEarly: request.document?.isEarly == true)
      case .message:
        message(
          request.number, title: request.title, text: request.text, language: request.language,
          button: request.hasButton)
      case .question:
        question(
          request.number, title: request.title, text: request.text ?? "",
          choices: request.choices, language: request.language,
          countdown: request.timeLimit != nil || request.deadline != nil)
      }
    return TypesetRequest(request: request, scene: scene)
  }
}
