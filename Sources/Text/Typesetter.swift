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
    return set(scalars[...], TextDirection(of: scalars[...], style.language), style)
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
      for piece in pieces { lines.append(set(paragraph[piece], measured.direction, style)) }
      let end = pieces.last?.upperBound ?? paragraph.startIndex
      if end < paragraph.endIndex {
        shown = end
        break
      }
    }
    return TextBlock(lines: lines, size: style.size, shown: shown)
  }

  /// Breaks a long text into lines, which `line(_:of:)` sets when they are shown.
  ///
  /// - Parameter width: The width in millimetres. A word that is wider continues on the next line.
  public func flow(_ text: String, _ style: TextStyle, width: Float) -> TextFlow {
    let plain = PlainText(text, limit: TextFlow.limit)
    var flow = TextFlow(plain.scalars, style, isCut: plain.isCut)
    for paragraph in plain.paragraphs {
      let measured = MeasuredText(paragraph, style, fonts)
      let breaks = LineBreaks(paragraph, style.language)
      var ranges: [Range<Int>] = []
      var start = paragraph.startIndex
      repeat {
        let end = lineEnd(of: paragraph, measured, breaks, from: start, width / style.size, style)
        ranges.append(start..<end)
        start = end
      } while start < paragraph.endIndex
      flow.add(paragraph, ranges, measured.direction)
    }
    return flow
  }

  /// The end of a line. A letter can become wider at the end of a line, as Arabic's final forms: the line is shaped, and
  /// shortened if it is too wide then.
  private func lineEnd(
    of paragraph: ArraySlice<UInt32>, _ measured: MeasuredText, _ breaks: LineBreaks,
    from start: Int, _ width: Float, _ style: TextStyle
  ) -> Int {
    var end = measured.lineEnd(breaks, from: start, fitting: width)
    while true {
      let line = Typesetter.trimmed(paragraph[start..<end])
      let excess = ShapedText(line, measured.direction, style.language, fonts).width - width
      guard excess > 0 else { return end }
      // At least one letter less, or the only one.
      let room = measured.width(start..<end) - max(excess, 0.001)
      let shorter = measured.lineEnd(breaks, from: start, fitting: room)
      guard shorter < end else { return end }
      end = shorter
    }
  }

  /// Sets a line of a text.
  public func line(_ index: Int, of flow: TextFlow) -> TextLine {
    set(flow.scalars(of: index), flow.lines[index].direction, flow.style)
  }

  private func set(
    _ scalars: ArraySlice<UInt32>, _ direction: TextDirection, _ style: TextStyle
  ) -> TextLine {
    let text = ShapedText(Typesetter.trimmed(scalars), direction, style.language, fonts)
    return TextLine(text, direction, style, fonts)
  }

  /// A line without the spaces at its ends.
  private static func trimmed(_ scalars: ArraySlice<UInt32>) -> ArraySlice<UInt32> {
    var scalars = scalars
    while let last = scalars.last, CodePoint.isSpace(last) { scalars.removeLast() }
    while let first = scalars.first, CodePoint.isSpace(first) { scalars.removeFirst() }
    return scalars
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
