import CLinux
import Ink
import Raster

/// An RGB picture that is composed of cells.
struct Sheet: ~Copyable {
  let width: Int
  let height: Int
  /// The pixels: red, green, blue.
  private(set) var pixels: [UInt8]

  init(width: Int, height: Int, colour: UInt32) {
    self.width = width
    self.height = height
    let row = Array(repeatElement(Sheet.channels(colour), count: width).joined())
    pixels = Array(repeatElement(row, count: height).joined())
  }

  private static func channels(_ colour: UInt32) -> [UInt8] {
    [16, 8, 0].map { UInt8(truncatingIfNeeded: colour >> $0) }
  }

  /// Fills a rectangle.
  mutating func fill(_ rect: PixelRect, _ colour: UInt32) {
    let inside = rect.intersection(PixelRect(width: width, height: height))
    guard !inside.isEmpty else { return }
    var row: [UInt8] = []
    for _ in 0..<inside.width { row += Sheet.channels(colour) }
    for y in 0..<inside.height {
      let first = 3 * ((Int(inside.y0) + y) * width + Int(inside.x0))
      pixels.replaceSubrange(first..<first + row.count, with: row)
    }
  }

  /// Draws the border of a rectangle, inside of it.
  mutating func frame(_ rect: PixelRect, _ colour: UInt32, thickness: Int32) {
    fill(PixelRect(rect.x0, rect.y0, rect.x1, rect.y0 + thickness), colour)
    fill(PixelRect(rect.x0, rect.y1 - thickness, rect.x1, rect.y1), colour)
    fill(PixelRect(rect.x0, rect.y0, rect.x0 + thickness, rect.y1), colour)
    fill(PixelRect(rect.x1 - thickness, rect.y0, rect.x1, rect.y1), colour)
  }

  /// Draws on planes of a rectangle's size and paints them, clipped to the rectangle.
  mutating func paint(
    _ rect: PixelRect, _ colour: UInt32, _ draw: (inout InkPlanes) -> Void
  ) {
    var planes = InkPlanes(width: rect.width, height: rect.height)
    draw(&planes)
    blend(
      planes.coverage(of: PixelRect(width: rect.width, height: rect.height)), rect, colour)
  }

  /// Blends a colour into a rectangle by coverage, 0…255.
  mutating func blend(_ coverage: [UInt8], _ rect: PixelRect, _ colour: UInt32) {
    precondition(rect.intersection(PixelRect(width: width, height: height)) == rect)
    let ink = Sheet.channels(colour).map { Int($0) }
    for row in 0..<rect.height {
      for column in 0..<rect.width {
        let covered = Int(coverage[row * rect.width + column])
        if covered == 0 { continue }
        let first = 3 * ((Int(rect.y0) + row) * width + Int(rect.x0) + column)
        for channel in 0..<3 {
          let below = Int(pixels[first + channel])
          pixels[first + channel] = UInt8(
            truncatingIfNeeded: (ink[channel] * covered + below * (255 - covered) + 127) / 255)
        }
      }
    }
  }
}

extension Sheet {
  /// Draws a line of text from the left end of its baseline.
  ///
  /// - Parameter unit: The pixels per unit of the font's grid; ascenders are 6 units high.
  mutating func write(_ text: String, x: Int32, y: Int32, unit: Float, colour: UInt32) {
    let line = Lettering.line(text)
    let width = Int32((line.width * unit).rounded(.up))
    let (rise, drop) = (Int32((8 * unit).rounded(.up)), Int32((3 * unit).rounded(.up)))
    let rect = PixelRect(x - 4, y - rise, x + width + 4, y + drop)
    paint(rect, colour) { planes in
      var path = Path(capacity: 64)
      for stroke in line.strokes {
        for (a, b) in zip(stroke, stroke.dropFirst()) {
          path.removeAll()
          path.pen(from: Point(a.x, -a.y), to: Point(b.x, -b.y), width: 0.72)
          // Each segment is a stroke of its own: added up, overlapping ends would be darker.
          _ = planes.addFinalised(
            path, scale: Scale(x: unit, y: unit), offset: SIMD2(4, Float(rise)))
          planes.endStroke()
        }
      }
    }
  }

  /// Draws discs at positions of a cell.
  mutating func dots(_ places: [SIMD2<Float>], in rect: PixelRect, radius: Float, colour: UInt32) {
    paint(rect, colour) { planes in
      var path = Path(capacity: 64)
      for place in places {
        path.removeAll()
        path.pen(from: place, to: place, width: 2 * radius)
        _ = planes.addFinalised(path, scale: Scale(x: 1, y: 1))
        planes.endStroke()
      }
    }
  }
}

/// A small stroke font for labels on machines without fonts.
///
/// Unknown letters become spaces. Strokes are points on a grid with y up: 0 is the baseline, 4 the x-height,
/// 6 the ascender height. Their corners are rounded, except at repeated points.
enum Lettering {
  /// The strokes and the width of a line of text, in grid units.
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

extension Path {
  /// Adds a line with round ends.
  mutating func pen(from a: Point, to b: Point, width: Float) {
    let way = b - a
    let length = way.length
    let along = (length > 0 ? way / length : Point(1, 0)) * (width / 2)
    let across = along.normal
    // 4/3·(√2 − 1), for a quarter of a circle by a cubic.
    let k: Float = 0.5522847
    move(to: a - across)
    line(to: b - across)
    cubic(b - across + along * k, b + along - across * k, to: b + along)
    cubic(b + along + across * k, b + across + along * k, to: b + across)
    line(to: a + across)
    cubic(a + across - along * k, a - along + across * k, to: a - along)
    cubic(a - along - across * k, a - across - along * k, to: a - across)
  }
}
