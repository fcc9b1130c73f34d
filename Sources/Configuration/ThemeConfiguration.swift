/// The section `[theme]`: colours, pictures and positions. Nil sizes are derived from the glass.
public struct ThemeConfiguration: Equatable, Sendable {
  /// The colours.
  public var colours: ThemeColours
  /// The logo's PNG file; nil: none.
  public var logo: String?
  /// The box that the logo is scaled to fit.
  public var logoSize: Millimetres?
  /// The position of the logo.
  public var logoPlace: LogoPlace
  /// The background's PNG file; nil: none.
  public var picture: String?
  /// The scaling of the background.
  public var pictureFit: PictureFit
  /// The side of the glass with the buttons.
  public var buttons: Side
  /// The height of a button in millimetres.
  public var buttonHeight: Float?
  /// The space at the borders and between buttons, in millimetres.
  public var margin: Float?
  /// The font size (em) of the prompt in millimetres.
  public var wordsSize: Float?
  /// The alignment of the text.
  public var wordsPlace: WordsPlace
  /// The distance from the line to the lower edge of the signing area, in millimetres.
  public var lineHeight: Float?

  /// The position of a logo.
  public enum LogoPlace: String, CaseIterable, Sendable {
    /// Above everything else.
    case topLeft = "top-left", top, topRight = "top-right"
    /// Below the line to sign on.
    case bottomLeft = "bottom-left", bottom, bottomRight = "bottom-right"
  }

  /// The scaling of a background with other proportions than the glass.
  public enum PictureFit: String, CaseIterable, Sendable {
    /// Covers the glass; two opposite edges are cropped equally.
    case cover
    /// Shows the whole picture; the rest has the background's colour.
    case fit
    /// Unscaled and centred.
    case centre
  }

  /// A side of the glass.
  public enum Side: String, CaseIterable, Sendable {
    case bottom, top, left, right
  }

  /// The alignment of text.
  public enum WordsPlace: String, CaseIterable, Sendable {
    /// Aligned to the start of lines in the language.
    case start
    /// Centred.
    case centre
  }

  init(_ section: Section) {
    let set = section.value(
      "colours", .choice(["light", "dark"], [ThemeColours.light, .dark]), default: .light)
    colours = ThemeColours(section, set)
    logo = section.value("logo", .path)
    logoSize = section.value("logo-size", .millimetres, unless: "auto")
    logoPlace = section.value("logo-place", .word(of: LogoPlace.self), default: .topLeft)
    picture = section.value("picture", .path)
    pictureFit = section.value("picture-fit", .word(of: PictureFit.self), default: .cover)
    buttons = section.value("buttons", .word(of: Side.self), default: .bottom)
    buttonHeight = section.value("button-height", .decimal(9...60), unless: "auto")
    margin = section.value("margin", .decimal(1.5...30), unless: "auto")
    wordsSize = section.value("words-size", .decimal(2.5...20), unless: "auto")
    wordsPlace = section.value("words-place", .word(of: WordsPlace.self), default: .start)
    lineHeight = section.value("line-height", .decimal(2...500), unless: "auto")
  }
}
