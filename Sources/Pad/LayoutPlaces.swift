public import Configuration
public import Ink

/// Where a theme wants the parts of a layout, in millimetres; nil: as the glass allows.
public struct LayoutPlaces: Equatable, Sendable {
  /// At which side the buttons are.
  public var buttons = ThemeConfiguration.Side.bottom
  /// How high a button is.
  public var buttonHeight: Float?
  /// What is left free at the borders and between buttons.
  public var margin: Float?
  /// An em of the prompt.
  public var wordsSize: Float?
  /// Where words stand between the borders.
  public var words = ThemeConfiguration.WordsPlace.start
  /// From the line to sign on to the lower end of where one can sign.
  public var lineHeight: Float?
  /// The logo's corner, and how large it is.
  public var logo: Logo?

  /// A logo as it is shown.
  public struct Logo: Equatable, Sendable {
    /// Where it is.
    public var place: ThemeConfiguration.LogoPlace
    /// Width and height.
    public var size: Point

    /// A logo of this size, in millimetres.
    public init(_ place: ThemeConfiguration.LogoPlace, size: Point) {
      self.place = place
      self.size = size
    }
  }

  /// All as the glass allows, without a logo.
  public init() {}

  /// As configured, for a glass of this size in millimetres.
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
