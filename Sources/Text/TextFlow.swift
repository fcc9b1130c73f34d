/// A long text that is broken into lines.
///
/// The lines are set when they are shown: their outlines would take megabytes.
public struct TextFlow: Sendable {
  /// A line of the text.
  public struct Line: Sendable, Equatable {
    /// Its code points, with the line end behind it. Each code point of the text is in exactly one line.
    public let range: Range<Int>
    /// The direction of its paragraph.
    public let direction: TextDirection
  }

  /// The maximum number of code points.
  public static let limit = 20_000

  /// The size and language.
  public let style: TextStyle
  /// Whether the text exceeds the limit; the rest is missing.
  public let isCut: Bool
  /// The lines from the first; at least one.
  public private(set) var lines: [Line] = []
  private let scalars: [UInt32]

  /// A text without lines.
  init(_ scalars: [UInt32], _ style: TextStyle, isCut: Bool) {
    self.scalars = scalars
    self.style = style
    self.isCut = isCut
  }

  /// The number of code points.
  public var count: Int { scalars.count }

  /// Adds the lines of the next paragraph.
  mutating func add(
    _ paragraph: ArraySlice<UInt32>, _ ranges: [Range<Int>], _ direction: TextDirection
  ) {
    // A line end at the end of the text begins no line.
    if paragraph.isEmpty, paragraph.startIndex == scalars.count, !lines.isEmpty { return }
    for range in ranges { lines.append(Line(range: range, direction: direction)) }
    guard let last = ranges.last, paragraph.endIndex < scalars.count else { return }
    lines[lines.count - 1] = Line(
      range: last.lowerBound..<(paragraph.endIndex + 1), direction: direction)
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

  /// The code points of a line without the line end.
  func scalars(of index: Int) -> ArraySlice<UInt32> {
    let line = scalars[lines[index].range]
    return line.last == PlainText.newline ? line.dropLast() : line
  }
}
