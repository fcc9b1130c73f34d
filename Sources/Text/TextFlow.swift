/// A long text that is broken into lines.
///
/// The lines are set when they are shown: their outlines would take megabytes.
public struct TextFlow: Sendable {
  /// A line of the text.
  public struct Line: Sendable, Equatable {
    /// Its code points, with the line end behind it. Each code point of the text is in exactly one line.
    public fileprivate(set) var range: Range<Int>
    /// The direction of its paragraph.
    public let direction: TextDirection
    /// Its glyphs.
    let text: ShapedText
  }

  /// The maximum number of code points.
  public static let limit = 20_000
  /// The maximum number of runs: paragraphs, and changes of script, direction or font in them.
  ///
  /// Each takes 50 µs with DejaVu Sans on a PC, so that all take 1.5 s on a board that is ten times slower; with a font of
  /// ideographs, three times as long. The thread feeds the watchdog too, which leaves it 5 s at least.
  public static let runLimit = 3000

  /// The size and language.
  public let style: TextStyle
  /// Whether the text exceeds the limit; the rest is missing.
  public let isCut: Bool
  /// Whether the text exceeds the limit of runs; it has no lines then.
  public let isTooMixed: Bool
  /// The lines from the first; at least one, unless the text is too mixed.
  public private(set) var lines: [Line] = []
  private let scalars: [UInt32]

  /// A text without lines.
  init(_ scalars: [UInt32], _ style: TextStyle, isCut: Bool, isTooMixed: Bool) {
    self.scalars = scalars
    self.style = style
    self.isCut = isCut
    self.isTooMixed = isTooMixed
  }

  /// The number of code points.
  public var count: Int { scalars.count }

  /// Adds the lines of the next paragraph, as wide as `width` ems.
  mutating func add(_ paragraph: MeasuredText, width: Float) {
    let (start, end) = (paragraph.range.lowerBound, paragraph.range.upperBound)
    // A line end at the end of the text begins no line.
    if start == end, start == scalars.count, !lines.isEmpty { return }
    let ranges = paragraph.fullLines(fitting: width)
    for (range, text) in zip(ranges, paragraph.shaped(ranges)) {
      lines.append(Line(range: range, direction: paragraph.direction, text: text))
    }
    guard let last = lines.last, end < scalars.count else { return }
    lines[lines.count - 1].range = last.range.lowerBound..<(end + 1)
  }

  /// The text of some lines, with their line ends.
  public func text(of lines: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    for line in self.lines[lines] {
      for scalar in scalars[line.range] {
        if let scalar = Unicode.Scalar(scalar) { text.append(scalar) }
      }
    }
    return String(text)
  }
}
