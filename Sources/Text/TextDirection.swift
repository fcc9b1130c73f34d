internal import CLibharfbuzz

/// Where the lines of a paragraph start.
public enum TextDirection: Sendable, Equatable {
  /// At the left.
  case leftToRight
  /// At the right.
  case rightToLeft

  /// The direction of the first letter that has one (Unicode's bidirectional algorithm, P2 and P3),
  /// else that of the language.
  init(of scalars: ArraySlice<UInt32>, _ language: Language) {
    for scalar in scalars {
      let script = CodePoint.script(scalar)
      if CodePoint.isShared(script) { continue }
      let direction = hb_script_get_horizontal_direction(script)
      self = direction == HB_DIRECTION_RTL ? .rightToLeft : .leftToRight
      return
    }
    self = language.direction
  }
}
