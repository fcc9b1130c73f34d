import CLinux
import Ink

/// A small alphabet of strokes, so that a sheet can be labelled on a machine without fonts. What it
/// does not know is a space.
///
/// Strokes are points on a grid with y up: 0 is the base line, 4 the height of small letters, 6 that of
/// ascenders. Their corners are cut, except where a point stands twice.
enum Lettering {
  /// The strokes of a line of text and how wide it is, in grid units.
  static func line(_ text: String) -> (strokes: [[Point]], width: Float) {
    var strokes: [[Point]] = []
    var x: Float = 0
    for letter in text.utf8 {
      guard let glyph = glyph(letter) else {
        x += 2.6
        continue
      }
      var width: Float = 0
      for stroke in glyph.split(separator: "|") {
        let points = points(stroke)
        width = points.reduce(width) { max($0, $1.x) }
        strokes.append(rounded(points).map { $0 + Point(x, 0) })
      }
      x += width + 1.7
    }
    return (strokes, max(0, x - 1.7))
  }

  private static func points(_ stroke: Substring) -> [Point] {
    stroke.split(separator: " ").map { pair in
      let numbers = pair.split(separator: ",").map { text in
        var number = 0.0
        return unsafe CLinux_readNumber(String(text), &number) != 0 ? Float(number) : 0
      }
      return numbers.count == 2 ? Point(numbers[0], numbers[1]) : .zero
    }
  }

  /// Corner cutting (Chaikin, 1974), three times.
  private static func rounded(_ points: [Point]) -> [Point] {
    guard points.count > 2 else { return points }
    return (0..<3).reduce(points) { points, _ in
      guard let first = points.first, let last = points.last else { return points }
      var cut = [first]
      for (a, b) in zip(points, points.dropFirst()) {
        cut.append(a * 0.75 + b * 0.25)
        cut.append(a * 0.25 + b * 0.75)
      }
      return cut + [last]
    }
  }

  private static func glyph(_ letter: UInt8) -> String? {
    switch letter {
    case UInt8(ascii: "a"): "3,3 2,4 1,4 0,3 0,1 1,0 2,0 3,1|3,4 3,0"
    case UInt8(ascii: "b"): "0,6 0,0|0,3 1,4 2,4 3,3 3,1 2,0 1,0 0,1"
    case UInt8(ascii: "c"): "3,3.2 2,4 1,4 0,3 0,1 1,0 2,0 3,0.8"
    case UInt8(ascii: "d"): "3,6 3,0|3,3 2,4 1,4 0,3 0,1 1,0 2,0 3,1"
    case UInt8(ascii: "e"): "0,2.1 3,2.1 3,2.1 3,3 2,4 1,4 0,3 0,1 1,0 2,0 3,0.8"
    case UInt8(ascii: "f"): "2.4,5.9 1.4,6.1 0.8,5.2 0.8,4 0.8,0|0,4 2.2,4"
    case UInt8(ascii: "g"): "3,3 2,4 1,4 0,3 0,1 1,0 2,0 3,1|3,4 3,-1 2.2,-2 1,-2 0.1,-1.4"
    case UInt8(ascii: "h"): "0,6 0,0|0,2.6 0.8,4 2.2,4 2.8,3 2.8,0"
    case UInt8(ascii: "i"): "0,4 0,0|0,5.7 0,5.8"
    case UInt8(ascii: "j"): "0.8,4 0.8,-1 0.2,-2 -0.3,-1.9|0.8,5.7 0.8,5.8"
    case UInt8(ascii: "k"): "0,6 0,0|2.6,4 0,1.6|1,2.5 2.8,0"
    case UInt8(ascii: "l"): "0,6 0,0"
    case UInt8(ascii: "m"): "0,4 0,0|0,2.8 0.6,4 1.7,4 2.2,3 2.2,0|2.2,2.8 2.8,4 3.9,4 4.4,3 4.4,0"
    case UInt8(ascii: "n"): "0,4 0,0|0,2.6 0.8,4 2.2,4 2.8,3 2.8,0"
    case UInt8(ascii: "o"): "1.5,4 2.6,4 3,2.9 3,1.1 2.6,0 0.4,0 0,1.1 0,2.9 0.4,4 1.5,4"
    case UInt8(ascii: "p"): "0,4 0,-2|0,3 1,4 2,4 3,3 3,1 2,0 1,0 0,1"
    case UInt8(ascii: "q"): "3,4 3,-2|3,3 2,4 1,4 0,3 0,1 1,0 2,0 3,1"
    case UInt8(ascii: "r"): "0,4 0,0|0,2.4 0.7,3.8 1.9,3.9"
    case UInt8(ascii: "s"): "2.5,3.3 1.9,4 0.7,4 0.1,3.2 0.6,2.3 2,1.8 2.6,0.9 2,0 0.6,0 0,0.7"
    case UInt8(ascii: "t"): "0.9,5.4 0.9,1 1.2,0 2.2,0.1|0,4 2.1,4"
    case UInt8(ascii: "u"): "0,4 0,1 0.7,0 2.1,0 2.8,1.4|2.8,4 2.8,0"
    case UInt8(ascii: "v"): "0,4 1.5,0|1.5,0 3,4"
    case UInt8(ascii: "w"): "0,4 1.1,0|1.1,0 2.2,4|2.2,4 3.3,0|3.3,0 4.4,4"
    case UInt8(ascii: "x"): "0,4 2.8,0|0,0 2.8,4"
    case UInt8(ascii: "y"): "0,4 1.5,0.1|3,4 1.4,-0.4 0.9,-1.9 0,-2"
    case UInt8(ascii: "z"): "0,4 2.7,4|2.7,4 0,0|0,0 2.7,0"
    case UInt8(ascii: "S"): "3.3,5.1 2.6,6 0.9,6 0.1,5 0.4,3.6 3,2.6 3.6,1.2 2.8,0 0.8,0 0,1"
    case UInt8(ascii: "("): "1.1,6.6 0.1,4.6 0,2.6 0.1,0.6 1.1,-1.4"
    case UInt8(ascii: ")"): "0,6.6 1,4.6 1.1,2.6 1,0.6 0,-1.4"
    default: nil
    }
  }
}
