import Ink
import Testing

@testable import Text

/// The fonts that the tests' packages install: fonts-dejavu-core and fonts-wqy-microhei.
enum Fonts {
  static let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
  static let microHei = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"

  static func stack(_ files: [String] = [dejaVu, microHei]) throws -> FontStack {
    try FontStack(fonts: files, wellKnown: false) { _ in }
  }

  static func typesetter() throws -> Typesetter { Typesetter(fonts: try stack()) }
}

/// What was reported.
final class Log {
  var lines: [String] = []
}

extension TextStyle {
  static func english(_ size: Float) -> TextStyle { TextStyle(size: size, language: .english) }
}

/// The rectangle around the points of a line's outlines; empty where there are none.
func bounds(_ line: TextLine) -> (low: Point, high: Point) { bounds(line.path) }

private func bounds(_ path: borrowing Path) -> (low: Point, high: Point) {
  let points = path.points
  guard points.count > 0 else { return (.zero, .zero) }
  var (low, high) = (points[0], points[0])
  for index in points.indices {
    low = Point(min(low.x, points[index].x), min(low.y, points[index].y))
    high = Point(max(high.x, points[index].x), max(high.y, points[index].y))
  }
  return (low, high)
}
