internal import Ink
internal import Text

/// A line of text at its place on the glass.
struct PlacedText: Sendable {
  /// What it is painted with.
  enum Colour: Sendable {
    /// What matters.
    case text
    /// What matters less.
    case quiet
    /// What asks for another try.
    case warning
    /// As the picture has it that it belongs to.
    case notice
  }

  let line: TextLine
  /// The left end of its baseline.
  let origin: Point
  let colour: Colour

  /// What it covers, letters that hang and marks that tower included.
  var area: Area {
    let em = line.capHeight / 0.7
    return Area(
      x: origin.x - 0.2 * em, y: origin.y - 1.2 * em, width: line.width + 0.4 * em,
      height: 1.7 * em)
  }
}
