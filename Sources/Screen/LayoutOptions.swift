public import Configuration
public import Ink

/// The theme's wishes for a layout, in millimetres. nil means: derived from the glass.
public struct LayoutOptions: Equatable, Sendable {
  /// The side of the glass with the buttons.
  public var buttons = ThemeConfiguration.Side.bottom
  /// Height of a button.
  public var buttonHeight: Float?
  /// Space at the borders and between buttons.
  public var margin: Float?
  /// Font size (em) of the prompt.
  public var wordsSize: Float?
  /// Alignment of the words.
  public var words = ThemeConfiguration.WordsPlace.start
  /// Distance from the line to sign on to the lower edge of the signing area.
  public var lineHeight: Float?
  /// The logo; nil: none.
  public var logo: Logo?

  /// Position and size of a logo.
  public struct Logo: Equatable, Sendable {
    /// Its corner or edge.
    public var place: ThemeConfiguration.LogoPlace
    /// Width and height, in millimetres.
    public var size: Point

    /// A logo of a size in millimetres.
    public init(_ place: ThemeConfiguration.LogoPlace, size: Point) {
      self.place = place
      self.size = size
    }
  }

  /// Everything derived from the glass, without a logo.
  public init() {}

  /// The options of a theme for a glass in millimetres.
  ///
  /// - Parameter logo: The logo's width and height in its own pixels, if there is one.
  public init(_ theme: ThemeConfiguration, glass: Point, logo: Point? = nil) {
    buttons = theme.buttons
    buttonHeight = theme.buttonHeight
    margin = theme.margin
    wordsSize = theme.wordsSize
    words = theme.wordsPlace
    lineHeight = theme.lineHeight
    guard let logo else { return }
    let box =
      theme.logoSize.map { Point($0.width, $0.height) }
      ?? Point(min(0.28 * glass.x, 45), min(0.13 * glass.y, 14))
    let scale = min(box.x / logo.x, box.y / logo.y)
    self.logo = Logo(theme.logoPlace, size: logo * scale)
  }
}
