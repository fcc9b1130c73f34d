internal import Ink
internal import Text

/// The digits of a time that is left, set once, so that a second costs no shaping.
struct CountdownText: Sendable {
  /// "Time left".
  let label: PlacedText
  /// Where the digits are.
  let area: Area
  private let digits: [TextLine]
  private let colon: TextLine
  private let rightToLeft: Bool

  init(label: PlacedText, area: Area, digits: [TextLine], colon: TextLine, rightToLeft: Bool) {
    self.label = label
    self.area = area
    self.digits = digits
    self.colon = colon
    self.rightToLeft = rightToLeft
  }

  /// "1:05", at the end of the area. Hours count as minutes.
  func lines(_ seconds: Int) -> [PlacedText] {
    let minutes = min(seconds / 60, 9999)
    var lines = Array("\(minutes)".utf8).map { digits[Int($0) - 0x30] }
    lines += [colon, digits[seconds % 60 / 10], digits[seconds % 10]]
    var width: Float = 0
    for line in lines { width += line.width }
    // Numbers run from left to right in every script that the pad speaks.
    var pen = Point(rightToLeft ? area.origin.x : area.end.x - width, area.end.y)
    return lines.map { line in
      defer { pen.x += line.width }
      return PlacedText(line: line, origin: pen, colour: .text)
    }
  }
}
