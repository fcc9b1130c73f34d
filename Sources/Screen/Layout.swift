public import Configuration
public import Ink

/// Positions of all parts of the pad, in millimetres: the same sizes on every panel.
///
///     ┌──────────────────────────────────┐       ┌──────────────────────────────────┐
///     │ header                  countdown│       │                                  │
///     │                                  │       │             header               │
///     │              signing             │       │             (text)               │
///     │  ×─────────────────────────────  │       │                                  │
///     │ [cancel] [clear] [undo]   [done] │       │                            [OK]  │
///     └──────────────────────────────────┘       └──────────────────────────────────┘
///
/// A question is laid out as the message, with a grid of choices instead of the button. The pages of a document are in the
/// signing area, with buttons of their own. For text that runs from right to left,
/// words, line and the row of buttons are mirrored. A logo and a column of buttons, which the theme places left or
/// right, are not.
public struct Layout: Equatable, Sendable {
  /// The minimum side of a button: a fingertip hits 9 mm (ISO 9241-411).
  public static let smallestButton: Float = 9
  /// The minimum side of a button with large words, for hands that tremble.
  static let smallestLargeButton: Float = 12
  /// The maximum width of a column of buttons, as a share of the glass.
  static let widestColumn: Float = 0.25

  /// The whole glass.
  public let glass: Area
  /// The optional parts that the layout has.
  public let parts: LayoutParts
  /// The theme's options.
  public let options: LayoutOptions
  /// The area in which a stroke may begin. It contains the words: ink may cover them.
  public let signing: Area
  /// The ends of the line to sign on.
  public let line: (left: Point, right: Point)
  /// The middle of the × at the start of the line.
  public let cross: Point
  /// The number of the page of a document; nil: not a document.
  let counter: Area?
  /// Title and prompt, or a message.
  public let header: Area
  /// The remaining time; of width 0 without a time limit.
  public let countdown: Area
  /// The theme's logo; nil: none.
  public let logo: Area?
  /// Space at the borders and between buttons.
  public let margin: Float
  /// Font size (em) of the prompt.
  public let textSize: Float
  private let placedButtons: [(button: Button, area: Area)]

  /// Lays the parts out on a glass of a size in millimetres.
  public init(
    width: Float, height: Float, parts: LayoutParts = LayoutParts(),
    options: LayoutOptions = LayoutOptions()
  ) {
    self.parts = parts
    self.options = options
    glass = Area(x: 0, y: 0, width: width, height: height)
    margin = options.margin ?? min(max(0.03 * min(width, height), 1.5), 6)
    let size = min(max(0.05 * min(height, 0.8 * width), 2.8), 6)
    textSize = max(
      options.wordsSize ?? (options.isLarge ? 1.4 * size : size),
      options.isLarge ? TextColumn.smallestLargeSize : 0)
    let buttons = LayoutButtons(glass, parts, options, margin: margin)
    placedButtons = buttons.placed
    signing = buttons.rest
    counter = buttons.counter
    let words = LayoutWords(
      signing, parts, options, inset: 1.5 * margin, textSize: textSize,
      messageOverhang: options.buttons == .bottom ? margin : 0)
    logo = words.logo
    header = words.header
    countdown = words.countdown
    let (start, end) = (signing.origin.x + 2 * margin + 4, signing.end.x - 2 * margin)
    let y = words.line
    let turn = { [signing] (x: Float) in
      parts.rightToLeft ? signing.origin.x + signing.end.x - x : x
    }
    cross = Point(turn(start - 3.2), y - 2.2)
    line =
      parts.rightToLeft
      ? (Point(turn(end), y), Point(turn(start), y)) : (Point(start, y), Point(end, y))
  }

  /// Whether the buttons are in a row, not in a column.
  var hasRow: Bool { options.buttons == .bottom || options.buttons == .top }

  /// The buttons, in order.
  public var buttons: [Button] { placedButtons.map { $0.button } }

  /// The button *Clear*.
  public var clear: Area { area(of: .clear) }
  /// The button *Done*.
  public var done: Area { area(of: .done) }

  /// The button at a point; nil: none.
  public func button(at point: Point) -> Button? {
    placedButtons.first { $0.area.contains(point) }?.button
  }

  /// The area of a button; an empty one off the glass if the layout lacks the button.
  public func area(of button: Button) -> Area {
    placedButtons.first { $0.button == button }?.area ?? Area(x: -1, y: -1, width: 0, height: 0)
  }

  /// The eye on the invitation, which is shown while clients watch the ink: below the far end of the line to sign on, or
  /// above it where the glass ends there.
  var eye: Area {
    let end = parts.rightToLeft ? line.left : line.right
    let x = parts.rightToLeft ? end.x : end.x - Layout.eyeSize.x
    let (gap, height) = (Float(0.6), Layout.eyeSize.y)
    let isBelow = end.y + gap + height <= glass.end.y
    let y = isBelow ? end.y + gap : end.y - gap - height
    return Area(x: x, y: y, width: Layout.eyeSize.x, height: height)
  }

  /// The eye on a notice, which has neither line nor buttons: in the lower corner at the end of lines, below the words.
  var noticeEye: Area {
    let x = parts.rightToLeft ? margin : glass.end.x - margin - Layout.eyeSize.x
    let y = glass.end.y - (noticeInset + Layout.eyeSize.y) / 2
    return Area(x: x, y: y, width: Layout.eyeSize.x, height: Layout.eyeSize.y)
  }

  private static let eyeSize = Point(4.2, 2.6)

  /// Space around the words of a notice: at least 3.75 mm.
  private var noticeInset: Float { 1.5 * textSize }

  /// The disc of a notice, in the middle if the notice has no words.
  func disc(withWords: Bool) -> Area {
    let least = min(glass.size.x, glass.size.y)
    let size = least * (withWords ? 0.4 : 0.6)
    let middle = glass.size.y * (withWords ? 0.36 : 0.5)
    return Area(
      x: glass.centre.x - size / 2, y: middle - size / 2, width: size, height: size)
  }

  /// The words of a notice, below its disc.
  var noticeWords: Area {
    let top = disc(withWords: true).end.y + 1.4 * textSize
    let inset = noticeInset
    return Area(
      x: inset, y: top, width: glass.size.x - 2 * inset, height: glass.size.y - top - inset)
  }

  /// Equal glass, parts and options give an equal layout.
  public static func == (a: Layout, b: Layout) -> Bool {
    a.glass == b.glass && a.parts == b.parts && a.options == b.options
  }
}

/// The optional parts of a layout.
public struct LayoutParts: Equatable, Sendable {
  /// Whether there is a button *Undo*.
  public var undo: Bool
  /// Whether there is a button *Cancel*.
  public var cancel: Bool
  /// Whether the remaining time is shown.
  public var countdown: Bool
  /// Whether a message replaces the line to sign on, and its button.
  public var message: MessageButton
  /// Whether text runs from right to left.
  public var rightToLeft: Bool
  /// The choices of a question, which replace all other buttons; nil: not a question.
  public var choices: ChoiceGrid?
  /// Whether the pages of a document are shown, which replaces all other buttons but *Cancel*.
  public var reading = false
  /// Whether there is a button that shows the document again.
  public var hasDocument = false
  /// The minimum width of each button in order, in millimetres; empty: equal widths.
  public var buttonWidths: [Float] = []

  /// Whether a layout is for a message, and its button.
  public enum MessageButton: Sendable {
    /// Not a message: a signature.
    case signature
    /// A message without a button, which ends by itself.
    case none
    /// A message with *OK*.
    case understood
  }

  /// By default, a signature with *Clear* and *Done*.
  public init(
    undo: Bool = false, cancel: Bool = false, countdown: Bool = false,
    message: MessageButton = .signature, rightToLeft: Bool = false
  ) {
    self.undo = undo
    self.cancel = cancel
    self.countdown = countdown
    self.message = message
    self.rightToLeft = rightToLeft
  }
}

/// The arrangement of a question's choices.
public struct ChoiceGrid: Equatable, Sendable {
  /// The number of choices.
  public let count: Int
  /// The number of choices beside one another.
  public let columns: Int

  /// An arrangement of two to four choices.
  public init(count: Int, columns: Int) {
    (self.count, self.columns) = (count, columns)
  }

  var rows: Int { (count + columns - 1) / columns }
}

/// The theme's options for a layout, in millimetres; nil: derived from the glass.
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
  /// Large words and buttons ([text] size).
  public var isLarge = false

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

  /// The minimum side of a button, in millimetres.
  public var smallestButton: Float {
    isLarge ? Layout.smallestLargeButton : Layout.smallestButton
  }

  /// The largest font size (em) of a button's word, in millimetres.
  func largestLabel(height: Float) -> Float { min(0.34 * height, isLarge ? 6 : 4.6) }

  /// The smallest font size (em) of words, in millimetres.
  public var smallestWords: Float {
    isLarge ? TextColumn.smallestLargeSize : TextColumn.smallestSize
  }

  /// The options of a theme for a glass in millimetres.
  ///
  /// - Parameters:
  ///   - logo: The logo's width and height in its own pixels, if there is one.
  ///   - isLarge: Whether words and buttons are large.
  public init(
    _ theme: ThemeConfiguration, glass: Point, logo: Point? = nil, isLarge: Bool = false
  ) {
    self.isLarge = isLarge
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
