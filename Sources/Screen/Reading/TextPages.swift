public import Ink
public import Text

/// The pages of a text: every line is whole, and on exactly one page.
public struct TextPages: Sendable {
  /// The lines of each page; at least one page, each of at least one line, unless the text is too mixed.
  public let pages: [Range<Int>]
  /// The text.
  public let flow: TextFlow
  private let size: Point

  /// The distance from the top of a line to its baseline, in ems: its accents are below the line above.
  private static let ascent: Float = 1.02

  /// Breaks a text into pages of a size in millimetres.
  public init(_ flow: TextFlow, size: Point) {
    self.flow = flow
    self.size = size
    let rows = max(1, Int(size.y / (TextBlock.lineHeight * flow.style.size)))
    pages = stride(from: 0, to: max(1, flow.lines.count), by: rows).map {
      $0..<min($0 + rows, flow.lines.count)
    }
  }

  /// The text of a page, with its line ends.
  func text(of page: Int) -> String { flow.text(of: pages[page]) }

  /// Sets the lines of a page with a top left corner.
  func lines(of page: Int, at corner: Point, _ typesetter: Typesetter) -> [PlacedText] {
    let em = flow.style.size
    return pages[page].enumerated().map { row, index in
      let line = typesetter.line(index, of: flow)
      let x = line.direction == .rightToLeft ? size.x - line.width : 0
      let y = (Float(row) * TextBlock.lineHeight + TextPages.ascent) * em
      return PlacedText(line: line, origin: corner + Point(x, y), colour: .text)
    }
  }
}
