/// Where a line lies in the width that it is given.
public enum TextAlignment: Sendable, Equatable {
  /// Where lines of its direction start.
  case start
  /// In the middle.
  case centre
  /// Where lines of its direction end.
  case end

  /// How far right of the left border a line begins.
  func offset(of line: Float, in width: Float, _ direction: TextDirection) -> Float {
    let room = width - line
    switch (self, direction) {
    case (.centre, _): return room / 2
    case (.start, .leftToRight), (.end, .rightToLeft): return 0
    case (.start, .rightToLeft), (.end, .leftToRight): return room
    }
  }
}
