/// Typesets texts in lines.
///
/// Shaping allocates and may read font files: use it on a thread that draws no ink. Any thread can paint the
/// lines.
public final class Typesetter {
  private let fonts: FontStack

  /// A typesetter for these fonts.
  public init(fonts: FontStack) { self.fonts = fonts }

  /// The part of a text that is shown: without control characters and letters' excess marks.
  public static func shown(_ text: String) -> String { PlainText(text).text }

  /// Typesets a text as one line, however long. Replaces line ends by spaces.
  public func line(_ text: String, _ style: TextStyle) -> TextLine {
    let scalars = PlainText(text).scalars.map { $0 == PlainText.newline ? PlainText.space : $0 }
    return set(scalars[...], MeasuredText(scalars[...], style, fonts), style)
  }

  /// Typesets a text in lines of even width: as many of them as fit `limit`, each whole.
  ///
  /// - Parameter width: The width in millimetres. A word that is wider continues on the next line.
  public func block(
    _ text: String, _ style: TextStyle, width: Float, lines limit: Int
  ) -> TextBlock {
    let plain = PlainText(text)
    var lines: [TextLine] = []
    var shown = plain.isCut ? plain.scalars.count : nil
    var paragraphs = plain.paragraphs
    // Trailing empty lines are no text that is missing.
    while paragraphs.count > 1, paragraphs[paragraphs.count - 1].allSatisfy(CodePoint.isSpace) {
      paragraphs.removeLast()
    }
    for paragraph in paragraphs {
      guard lines.count < limit else {
        shown = paragraph.startIndex
        break
      }
      let measured = MeasuredText(paragraph, style, fonts)
      let pieces = measured.lines(fitting: width / style.size, atMost: limit - lines.count)
      for piece in pieces { lines.append(set(paragraph[piece], measured, style)) }
      let end = pieces.last?.upperBound ?? paragraph.startIndex
      if end < paragraph.endIndex {
        shown = end
        break
      }
    }
    return TextBlock(lines: lines, size: style.size, shown: shown)
  }

  private func set(
    _ scalars: ArraySlice<UInt32>, _ measured: MeasuredText, _ style: TextStyle
  ) -> TextLine {
    var scalars = scalars
    while let last = scalars.last, CodePoint.isSpace(last) { scalars.removeLast() }
    while let first = scalars.first, CodePoint.isSpace(first) { scalars.removeFirst() }
    let text = ShapedText(scalars, measured.direction, style.language, fonts)
    return TextLine(text, measured.direction, style, fonts)
  }
}

/// The size, weight and language of a text.
public struct TextStyle: Sendable, Equatable {
  /// The font size (em) in millimetres; capitals are about 0.7 em high.
  public var size: Float
  /// The extra stem width in ems: 0 regular, 0.03 bold.
  public var bold: Float
  /// The language of the text.
  public var language: Language

  /// A style of a size in millimetres.
  public init(size: Float, bold: Float = 0, language: Language) {
    self.size = size
    self.bold = bold
    self.language = language
  }
}
