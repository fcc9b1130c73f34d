internal import Ink
internal import Raster
internal import Text

/// The typeset and placed content of all pages for a request, or for the idle pad.
///
/// Immutable: the main thread builds it, the render thread shows it.
public final class Scene: Sendable {
  /// The request; nil: the pad's own scene.
  public let number: Int64?
  /// Positions of everything on the glass.
  public let layout: Layout
  /// The title of the request, as shown.
  public let title: String?
  /// The prompt of the request, as shown; nil: a message.
  public let prompt: String?
  /// The document that is shown before signing; nil: none.
  public let reading: Reading?
  /// The text of the request that does not fit; nil: all of them do.
  public let overflow: Overflow?
  let texts: Texts
  let labels: [ButtonLabel]
  let countdown: CountdownText?
  /// The background of all pages but notices; nil: one colour.
  let picture: GroundPicture?

  /// A text that does not fit the panel, even in the smallest readable size.
  public struct Overflow: Equatable, Sendable {
    /// The parameter of the call, as "prompt".
    public let parameter: String
    /// The number of code points that fit.
    public let limit: Int
  }

  /// The words of a scene.
  struct Texts: Sendable {
    /// Title and prompt.
    var header: [PlacedText] = []
    /// Replaces the header: the signature was too short.
    var tooShort: [PlacedText] = []
    /// Replaces the header: the signature is being saved.
    var saving: [PlacedText] = []
    /// Replaces the header: the signature is saved.
    var saved: [PlacedText] = []
    /// Below the header of the pad's own scene.
    var notes: [PlacedText] = []
    /// Below the icon of a notice.
    var cancelled: [PlacedText] = []
    /// Below the icon of a notice.
    var timedOut: [PlacedText] = []
    /// Below the icon of a notice.
    var outOfService: [PlacedText] = []
    /// A message.
    var message: [PlacedText] = []
  }

  /// The label of a button: an icon, a word, or both.
  struct ButtonLabel: Sendable {
    let button: Button
    /// The place of its icon; nil: no icon.
    let icon: Area?
    /// Its word; nil: no word.
    let word: PlacedText?

    /// Icons alone, which need no font, for the buttons of a layout.
    static func icons(of layout: Layout) -> [ButtonLabel] {
      layout.buttons.map { ButtonLabel(button: $0, icon: layout.area(of: $0), word: nil) }
    }
  }

  /// - Parameter labels: nil: icons alone.
  init(
    number: Int64?, layout: Layout, title: String? = nil, prompt: String? = nil, texts: Texts,
    labels: [ButtonLabel]?,
    countdown: CountdownText? = nil, picture: GroundPicture? = nil, overflow: Overflow? = nil,
    reading: Reading? = nil
  ) {
    self.number = number
    self.layout = layout
    self.title = title
    self.prompt = prompt
    self.texts = texts
    self.labels = labels ?? ButtonLabel.icons(of: layout)
    self.countdown = countdown
    self.picture = picture
    self.overflow = overflow
    self.reading = reading
  }

  /// A scene with icons alone, which needs no font.
  ///
  /// Title and prompt are those of a request that was shown before.
  public convenience init(
    number: Int64? = nil, layout: Layout, title: String? = nil, prompt: String? = nil,
    reading: Reading? = nil
  ) {
    self.init(
      number: number, layout: layout, title: title, prompt: prompt, texts: Texts(), labels: nil,
      reading: reading)
  }

  /// The positions on a page of the screen.
  public func layout(of page: ViewState.Page) -> Layout {
    page == .reading ? reading?.layout ?? layout : layout
  }

  func label(of button: Button, on page: ViewState.Page) -> ButtonLabel? {
    page == .reading
      ? reading?.label(of: button) : labels.first { $0.button == button }
  }
}

/// A line of text at its position on the glass.
struct PlacedText: Sendable {
  /// The role of a text, which determines its colour.
  enum Colour: Sendable {
    /// Primary text.
    case text
    /// Secondary text.
    case quiet
    /// A request to retry.
    case warning
    /// The text colour of the notice that it belongs to.
    case notice
  }

  let line: TextLine
  /// The left end of the baseline.
  let origin: Point
  let colour: Colour

  /// The covered area, with descenders and accents.
  var area: Area {
    let em = line.capHeight / 0.7
    return Area(
      x: origin.x - 0.2 * em, y: origin.y - 1.2 * em, width: line.width + 0.4 * em,
      height: 1.7 * em)
  }
}
