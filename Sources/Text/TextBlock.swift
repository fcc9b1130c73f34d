public import Ink

/// Lines of text of one size.
public struct TextBlock: Sendable {
  /// The distance of baselines in ems.
  public static let lineHeight: Float = 1.38

  /// The lines from the top.
  public let lines: [TextLine]
  /// The font size (em) in millimetres.
  public let size: Float
  /// The number of code points in the lines, from the start of the text; nil if it is all of them.
  public let shown: Int?

  /// A block of lines.
  public init(lines: [TextLine], size: Float, shown: Int? = nil) {
    self.lines = lines
    self.size = size
    self.shown = shown
  }

  /// The height from the first line's capitals to the last baseline, in millimetres.
  public var height: Float {
    guard let first = lines.first else { return 0 }
    return first.capHeight + Float(lines.count - 1) * TextBlock.lineHeight * size
  }

  /// The width of the longest line in millimetres.
  public var width: Float {
    var width: Float = 0
    for line in lines { width = max(width, line.width) }
    return width
  }

  /// The origin of a line in a block with a top left corner and a width.
  public func origin(
    of line: Int, corner: Point, width: Float, _ alignment: TextAlignment
  ) -> Point {
    let x = alignment.offset(of: lines[line].width, in: width, lines[line].direction)
    let y = lines[line].capHeight + Float(line) * TextBlock.lineHeight * size
    return corner + Point(x, y)
  }
}

/// The horizontal alignment of a line.
public enum TextAlignment: Sendable, Equatable {
  /// Aligned to the start of its direction.
  case start
  /// Centred.
  case centre
  /// Aligned to the end of its direction.
  case end

  /// The distance of a line from the left edge.
  func offset(of line: Float, in width: Float, _ direction: TextDirection) -> Float {
    let room = width - line
    switch (self, direction) {
    case (.centre, _): return room / 2
    case (.start, .leftToRight), (.end, .rightToLeft): return 0
    case (.start, .rightToLeft), (.end, .leftToRight): return room
    }
  }
}
