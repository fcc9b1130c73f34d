internal import Configuration
public import Ink

/// Where the parts of the pad are, in millimetres: the same hand meets the same sizes on every panel.
///
///     ┌──────────────────────────────────┐       ┌──────────────────────────────────┐
///     │ header                  countdown│       │                                  │
///     │                                  │       │             header               │
///     │              signing             │       │             (text)               │
///     │  ×─────────────────────────────  │       │                                  │
///     │ [cancel] [clear] [undo]   [done] │       │                            [OK]  │
///     └──────────────────────────────────┘       └──────────────────────────────────┘
///
/// Where lines start at the right, words, line and the row of buttons are the mirror image. What the
/// theme puts left or right stays there: a logo, and buttons one below the other.
public struct Layout: Equatable, Sendable {
  /// The smallest side of a button: a fingertip hits 9 mm (ISO 9241-411).
  public static let smallestButton: Float = 9
  /// The most of the glass's width that buttons one below the other take.
  static let widestColumn: Float = 0.25

  /// The whole glass.
  public let glass: Area
  /// What there is room for.
  public let parts: LayoutParts
  /// What the theme asks for.
  public let places: LayoutPlaces
  /// Where a stroke may begin. The words are within it: ink may go over them.
  public let signing: Area
  /// From end to end of the line to sign on.
  public let line: (left: Point, right: Point)
  /// The middle of the × where the line starts.
  public let cross: Point
  /// Title and prompt, or a message.
  public let header: Area
  /// The time that is left; without room where there is no limit.
  public let countdown: Area
  /// The theme's logo, if there is one.
  public let logo: Area?
  /// What is left free at the borders and between buttons.
  public let margin: Float
  /// Of the prompt: an em in millimetres.
  public let textSize: Float
  private let placedButtons: [(button: Button, area: Area)]

  /// Lays the parts out on a glass of this size.
  public init(
    width: Float, height: Float, parts: LayoutParts = LayoutParts(),
    places: LayoutPlaces = LayoutPlaces()
  ) {
    self.parts = parts
    self.places = places
    glass = Area(x: 0, y: 0, width: width, height: height)
    margin = places.margin ?? min(max(0.03 * min(width, height), 1.5), 6)
    textSize = places.wordsSize ?? min(max(0.05 * min(height, 0.8 * width), 2.8), 6)
    let buttons = LayoutButtons(glass, parts, places, margin: margin)
    placedButtons = buttons.placed
    signing = buttons.rest
    let words = LayoutWords(
      signing, parts, places, inset: 1.5 * margin, textSize: textSize,
      messageOverhang: places.buttons == .bottom ? margin : 0)
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

  /// Whether the buttons stand beside one another, and not one below the other.
  var hasRow: Bool { places.buttons == .bottom || places.buttons == .top }

  /// The buttons that there are.
  public var buttons: [Button] { placedButtons.map { $0.button } }

  /// The button that wipes the pad.
  public var clear: Area { area(of: .clear) }
  /// The button that sends the signature.
  public var done: Area { area(of: .done) }

  /// The button at a place, if there is one.
  public func button(at point: Point) -> Button? {
    placedButtons.first { $0.area.contains(point) }?.button
  }

  /// Where a button is; nowhere, if the layout has none of this kind.
  public func area(of button: Button) -> Area {
    placedButtons.first { $0.button == button }?.area ?? Area(x: -1, y: -1, width: 0, height: 0)
  }

  /// Equal where all parts are.
  public static func == (a: Layout, b: Layout) -> Bool {
    a.glass == b.glass && a.parts == b.parts && a.places == b.places
  }
}
