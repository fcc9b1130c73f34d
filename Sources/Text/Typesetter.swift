/// Typesets texts in lines.
///
/// Shaping allocates and may read font files: use it on a thread that draws no ink. Any thread can paint the
/// lines.
public final class Typesetter {
  private let fonts: FontStack

  /// A typesetter for these fonts.
  public init(fonts: FontStack) { self.fonts = fonts }

  /// Typesets a text as one line. Replaces line ends by spaces.
  ///
  /// - Parameter width: The width in millimetres; a longer text is cut and ends in "…".
  public func line(
    _ text: String, _ style: TextStyle, width: Float = .infinity
  ) -> TextLine {
    let plain = PlainText(text)
    let scalars = plain.scalars.map { $0 == PlainText.newline ? PlainText.space : $0 }
    let measured = MeasuredText(scalars[...], style, fonts)
    let end = measured.end(from: 0, fitting: width / style.size)
    if end == scalars.count && !plain.isCut { return set(scalars[...], measured, style) }
    return set(measured.shortened(from: 0, fitting: width / style.size, fonts), measured, style)
  }

  /// Typesets a text in at most `lines` lines of even width.
  ///
  /// - Parameter width: The width in millimetres; a longer text is cut and ends in "…".
  public func block(
    _ text: String, _ style: TextStyle, width: Float, lines limit: Int
  ) -> TextBlock {
    let plain = PlainText(text)
    var lines: [TextLine] = []
    var shown: Int?
    var paragraphs = plain.paragraphs
    // Trailing empty lines are no text that is cut.
    while paragraphs.count > 1, paragraphs[paragraphs.count - 1].allSatisfy(CodePoint.isSpace) {
      paragraphs.removeLast()
    }
    for (index, paragraph) in paragraphs.enumerated() where lines.count < limit {
      let measured = MeasuredText(paragraph, style, fonts)
      let room = limit - lines.count
      let isLast = index == paragraphs.count - 1
      var pieces = measured.lines(fitting: width / style.size, atMost: room)
      let rest = (pieces.last?.upperBound ?? paragraph.startIndex) < paragraph.endIndex
      let cut = rest || pieces.count == room && !isLast || isLast && plain.isCut
      let last = cut ? pieces.popLast() : nil
      for piece in pieces { lines.append(set(paragraph[piece], measured, style)) }
      if let last {
        let short = measured.shortened(
          from: last.lowerBound, fitting: width / style.size, fonts)
        shown = last.lowerBound + short.count - 1
        lines.append(set(short, measured, style))
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
