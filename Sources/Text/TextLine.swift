public import Ink

/// The immutable outlines of a line, in millimetres from the left end of its baseline.
public final class TextLine: Sendable {
  /// The advance width in millimetres.
  public let width: Float
  /// The height of the primary font's capital letters in millimetres.
  public let capHeight: Float
  /// The base direction.
  public let direction: TextDirection
  /// The outlines of all glyphs, for the non-zero rule.
  public let path: Path

  init(
    _ text: ShapedText, _ direction: TextDirection, _ style: TextStyle, _ fonts: FontStack
  ) {
    let primary = fonts.primary.flatMap { fonts.face($0) }
    capHeight = (primary?.capHeight ?? 0.7) * style.size
    width = text.width * style.size
    self.direction = direction
    path = TextLine.outlines(text, style, fonts)
  }

  /// Whether the line has no outlines.
  public var isEmpty: Bool { path.isEmpty }

  /// A hollow box has two contours of four edges.
  private static let boxVerbs = 8

  private static func outlines(
    _ text: ShapedText, _ style: TextStyle, _ fonts: FontStack
  ) -> Path {
    var verbs = 1
    for glyph in text.glyphs {
      if glyph.index == 0 {
        verbs += boxVerbs
      } else if let face = fonts.face(Int(glyph.font)) {
        verbs += GlyphOutline.verbs(glyph.index, face)
      }
    }
    var path = Path(capacity: verbs)
    var pen: Float = 0
    for glyph in text.glyphs {
      let origin = (Point(pen, 0) + glyph.offset) * style.size
      if glyph.index == 0 {
        box(at: origin, size: style.size, to: &path)
      } else if let face = fonts.face(Int(glyph.font)) {
        GlyphOutline.append(
          glyph.index, face, origin: origin, size: style.size, bold: style.bold, to: &path)
      }
      pen += glyph.advance
    }
    return path
  }

  /// Adds a box for a code point without a glyph.
  private static func box(at origin: Point, size: Float, to path: inout Path) {
    let outer = (left: Float(0.06), right: ShapedText.boxAdvance - 0.06, top: Float(-0.7))
    let stem: Float = 0.06
    func point(_ x: Float, _ y: Float) -> Point { origin + Point(x, y) * size }
    path.move(to: point(outer.left, 0))
    path.line(to: point(outer.left, outer.top))
    path.line(to: point(outer.right, outer.top))
    path.line(to: point(outer.right, 0))
    // The opposite direction makes a hole.
    path.move(to: point(outer.left + stem, -stem))
    path.line(to: point(outer.right - stem, -stem))
    path.line(to: point(outer.right - stem, outer.top + stem))
    path.line(to: point(outer.left + stem, outer.top + stem))
  }
}
