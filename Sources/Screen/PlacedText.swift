internal import Ink
internal import Text

/// A line of text at its position on the glass.
struct PlacedText: Sendable {
  /// The role of a text, which determines its colour.
  enum Colour: Sendable {
    /// Primary text.
    case text
    /// Secondary text.
    case quiet
    /// Asks for another try.
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
