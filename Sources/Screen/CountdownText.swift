internal import Ink
internal import Text

/// The remaining time, with its digits shaped once: a new second needs no shaping.
struct CountdownText: Sendable {
  /// "Time left".
  let label: PlacedText
  private let area: Area
  private let digits: [TextLine]
  private let colon: TextLine
  private let rightToLeft: Bool

  /// - Parameters:
  ///   - area: Where the digits are shown. Their baseline is its lower edge.
  ///   - digits: The lines "0" to "9".
  init(label: PlacedText, area: Area, digits: [TextLine], colon: TextLine, rightToLeft: Bool) {
    self.label = label
    self.area = area
    self.digits = digits
    self.colon = colon
    self.rightToLeft = rightToLeft
  }

  /// Minutes and seconds, as "1:05", at the end of the area. Hours count as minutes.
  func lines(_ seconds: Int) -> [PlacedText] {
    let minutes = min(seconds / 60, 9999)
    var lines = "\(minutes)".utf8.map { digits[Int($0) - 0x30] }
    lines += [colon, digits[seconds % 60 / 10], digits[seconds % 10]]
    var width: Float = 0
    for line in lines { width += line.width }
    // Numbers run from left to right in every supported script.
    var pen = Point(rightToLeft ? area.origin.x : area.end.x - width, area.end.y)
    return lines.map { line in
      defer { pen.x += line.width }
      return PlacedText(line: line, origin: pen, colour: .text)
    }
  }
}
