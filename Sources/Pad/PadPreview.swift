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
    /// The time limit in whole seconds, which is shown; nil: none.
    public var timeLimit: Int?

    /// A request for a signature with the pad's own words.
    public init() {}
  }

  /// Why there is no picture.
  public enum Refusal: Error {
    /// A text does not fit the panel; `limit` code points of it do.
    case tooLong(parameter: String, limit: Int)
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
    var rules = Session.Rules()
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
      let typeset = builder.typeset(request.padRequest)
      if let overflow = typeset.scene.overflow {
        throw .tooLong(parameter: overflow.parameter, limit: overflow.limit)
      }
      model.open(typeset, at: 0)
    }
    _ = model.compose()
    let pixels = model.pixels
    let header = PNGHeader(
      width: screen.width, height: screen.height, pixels: .xrgb, scale: screen.scale,
      texts: [.software("Paraph")])
    do throws(PNGError) {
      return try unsafe PNGFile.encode(pixels.span.bytes, as: header)
    } catch { throw .failed(error.text) }
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
