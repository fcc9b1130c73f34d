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
    let direction = TextDirection(of: scalars[...], style.language)
    let shaped = ShapedText(
      Typesetter.trimmed(scalars[...]), direction, style.language, fonts)
    return TextLine(shaped, direction, style, fonts)
  }

  /// Shapes a text once for blocks of any size, which takes longest.
  public func shape(_ text: String, _ language: Language) -> ShapedBlock {
    let plain = PlainText(text)
    var paragraphs = plain.paragraphs
    // Trailing empty lines are no text that is missing.
    while paragraphs.count > 1, paragraphs[paragraphs.count - 1].allSatisfy(CodePoint.isSpace) {
      paragraphs.removeLast()
    }
    return ShapedBlock(
      paragraphs: paragraphs.map { MeasuredText($0, language, fonts) },
      shown: plain.isCut ? plain.scalars.count : nil)
  }

  /// Typesets a text in lines of even width: as many of them as fit `limit`, each whole.
  ///
  /// - Parameter width: The width in millimetres. A word that is wider continues on the next line.
  public func block(
    _ text: String, _ style: TextStyle, width: Float, lines limit: Int
  ) -> TextBlock {
    block(shape(text, style.language), style, width: width, lines: limit)
  }

  /// Typesets a shaped text in the same way.
  public func block(
    _ text: ShapedBlock, _ style: TextStyle, width: Float, lines limit: Int
  ) -> TextBlock {
    var lines: [TextLine] = []
    var shown = text.shown
    for paragraph in text.paragraphs {
      guard lines.count < limit else {
        shown = paragraph.range.lowerBound
        break
      }
      let pieces = paragraph.lines(fitting: width / style.size, atMost: limit - lines.count)
      for line in paragraph.shaped(pieces) {
        lines.append(TextLine(line, paragraph.direction, style, fonts))
      }
      if let end = pieces.last?.upperBound, end < paragraph.range.upperBound {
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
    let paragraphs = plain.paragraphs
    let runs = paragraphs.reduce(0) { $0 + ShapingRuns.most(in: $1, style.language, fonts) }
    var flow = TextFlow(
      plain.scalars, style, isCut: plain.isCut, isTooMixed: runs > TextFlow.runLimit)
    if flow.isTooMixed { return flow }
    for paragraph in paragraphs {
      flow.add(MeasuredText(paragraph, style.language, fonts), width: width / style.size)
    }
    return flow
  }

  /// Sets a line of a text.
  public func line(_ index: Int, of flow: TextFlow) -> TextLine {
    TextLine(flow.lines[index].text, flow.lines[index].direction, flow.style, fonts)
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

/// A text whose letters are shaped, for blocks of any size and width.
public struct ShapedBlock {
  /// At least one.
  let paragraphs: [MeasuredText]
  /// The number of their code points if the text has more; nil: they are all of it.
  let shown: Int?
}
