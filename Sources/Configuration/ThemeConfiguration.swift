/// How the pad looks: colours, pictures, and where its parts are.
public struct ThemeConfiguration: Equatable, Sendable {
  /// Those of the set that it starts from, but for what is named.
  public var colours: ThemeColours
  /// A PNG in a corner; nil: none.
  public var logo: String?
  /// What the logo has to fit into; nil: as the glass allows.
  public var logoSize: Millimetres?
  /// Where the logo is.
  public var logoPlace: LogoPlace
  /// A PNG under everything; nil: none.
  public var picture: String?
  /// How it lies on the glass.
  public var pictureFit: PictureFit
  /// At which side the buttons are.
  public var buttons: Side
  /// How high a button is, in millimetres; nil: as the glass allows.
  public var buttonHeight: Float?
  /// What is left free at the borders and between buttons, in millimetres; nil: as the glass allows.
  public var margin: Float?
  /// An em of the prompt, in millimetres; nil: as the glass allows.
  public var wordsSize: Float?
  /// Where the words stand between the borders.
  public var wordsPlace: WordsPlace
  /// From the line to sign on to the lower end of where one can sign, in millimetres; nil: as the glass
  /// allows.
  public var lineHeight: Float?

  /// Where a logo can be.
  public enum LogoPlace: String, CaseIterable, Sendable {
    /// Above everything else.
    case topLeft = "top-left", top, topRight = "top-right"
    /// Below the line to sign on.
    case bottomLeft = "bottom-left", bottom, bottomRight = "bottom-right"
  }

  /// How a picture lies on a glass of other proportions.
  public enum PictureFit: String, CaseIterable, Sendable {
    /// Over all of it: what juts out is cut off on both sides alike.
    case cover
    /// Whole: what it leaves free is the ground's colour.
    case fit
    /// Pixel for pixel, in the middle.
    case centre
  }

  /// A side of the glass.
  public enum Side: String, CaseIterable, Sendable {
    case bottom, top, left, right
  }

  /// Where words stand.
  public enum WordsPlace: String, CaseIterable, Sendable {
    /// Where lines start in the language.
    case start
    /// In the middle.
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

extension ThemeColours {
  fileprivate init(_ section: Section, _ set: ThemeColours) {
    self = set
    ground = section.value("ground", .colour, default: set.ground)
    words = section.value("words", .colour, default: set.words)
    quietWords = section.value("quiet-words", .colour, default: set.quietWords)
    warning = section.value("warning", .colour, default: set.warning)
    line = section.value("line", .colour, default: set.line)
    clear = section.value("clear", .button, default: set.clear)
    done = section.value("done", .button, default: set.done)
    cancel = section.value("cancel", .button, default: set.cancel)
    faint = section.value("faint", .button, default: set.faint)
    pressed = section.value("pressed", .button, default: set.pressed)
    saved = section.value("saved", .notice, default: set.saved)
    ended = section.value("ended", .notice, default: set.ended)
    outOfService = section.value("out-of-service", .notice, default: set.outOfService)
  }
}

extension ValueType where Value == ThemeColours.Button {
  /// Face and words.
  fileprivate static var button: ValueType {
    ValueType { text throws(Refusal) in
      let colours = try colours(text, 2, "the colours #rrggbb of the face and of its words")
      return ThemeColours.Button(face: colours[0], words: colours[1])
    }
  }
}

extension ValueType where Value == ThemeColours.Notice {
  /// Ground, words, disc, sign.
  fileprivate static var notice: ValueType {
    ValueType { text throws(Refusal) in
      let colours = try colours(
        text, 4, "the colours #rrggbb of ground, words, disc and the sign on it")
      return ThemeColours.Notice(
        ground: colours[0], words: colours[1], disc: colours[2], sign: colours[3])
    }
  }
}

/// Colours between blanks.
private func colours(
  _ text: String, _ count: Int, _ expected: String
) throws(Refusal) -> [UInt32] {
  let words = Words.cut(text)
  guard words.count == count else { throw Refusal("must be \(expected), not \"\(text)\"") }
  var colours: [UInt32] = []
  for word in words { colours.append(try ValueType<UInt32>.colour.read(word)) }
  return colours
}
