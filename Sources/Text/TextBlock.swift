public import Ink

/// A few lines under one another.
public struct TextBlock: Sendable {
  /// From baseline to baseline, in ems.
  public static let lineHeight: Float = 1.38

  /// From the top.
  public let lines: [TextLine]
  /// An em in millimetres.
  public let size: Float
  /// How many code points of the text are shown before "…"; nil: all of them.
  public let shown: Int?

  /// Lines of one style.
  public init(lines: [TextLine], size: Float, shown: Int? = nil) {
    self.lines = lines
    self.size = size
    self.shown = shown
  }

  /// From the top of the first line's capital letters to the last line's baseline, in millimetres.
  public var height: Float {
    guard let first = lines.first else { return 0 }
    return first.capHeight + Float(lines.count - 1) * TextBlock.lineHeight * size
  }

  /// The longest line's.
  public var width: Float {
    var width: Float = 0
    for line in lines { width = max(width, line.width) }
    return width
  }

  /// Where the origin of a line comes to lie, if the block's left top corner is at `corner` and it is
  /// `width` wide.
  public func origin(
    of line: Int, corner: Point, width: Float, _ alignment: TextAlignment
  ) -> Point {
    let x = alignment.offset(of: lines[line].width, in: width, lines[line].direction)
    let y = lines[line].capHeight + Float(line) * TextBlock.lineHeight * size
    return corner + Point(x, y)
  }
}
