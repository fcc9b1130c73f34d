import Ink
import Raster

/// A picture in colours that is put together from cells.
struct Sheet: ~Copyable {
  let width: Int
  let height: Int
  /// Red, green, blue.
  private(set) var pixels: [UInt8]

  init(width: Int, height: Int, colour: UInt32) {
    self.width = width
    self.height = height
    pixels = (0..<width * height).flatMap { _ in Sheet.channels(colour) }
  }

  private static func channels(_ colour: UInt32) -> [UInt8] {
    [16, 8, 0].map { UInt8(truncatingIfNeeded: colour >> $0) }
  }

  /// Makes a rectangle one colour.
  mutating func fill(_ rect: PixelRect, _ colour: UInt32) {
    let inside = rect.intersection(PixelRect(width: width, height: height))
    blend([UInt8](repeating: 255, count: inside.area), inside, colour)
  }

  /// A line around the inside of a rectangle.
  mutating func frame(_ rect: PixelRect, _ colour: UInt32, thickness: Int32) {
    fill(PixelRect(rect.x0, rect.y0, rect.x1, rect.y0 + thickness), colour)
    fill(PixelRect(rect.x0, rect.y1 - thickness, rect.x1, rect.y1), colour)
    fill(PixelRect(rect.x0, rect.y0, rect.x0 + thickness, rect.y1), colour)
    fill(PixelRect(rect.x1 - thickness, rect.y0, rect.x1, rect.y1), colour)
  }

  /// Paints what `draw` draws on planes of a rectangle's size; beyond it everything is cut off.
  mutating func paint(
    _ rect: PixelRect, _ colour: UInt32, _ draw: (inout InkPlanes) -> Void
  ) {
    var planes = InkPlanes(width: rect.width, height: rect.height)
    draw(&planes)
    blend(
      planes.coverage(of: PixelRect(width: rect.width, height: rect.height)), rect, colour)
  }

  /// Covers a rectangle of the sheet with a colour, 255 for all of it.
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
            truncatingIfNeeded: below + ((ink[channel] - below) * covered + 127) / 255)
        }
      }
    }
  }
}

extension Sheet {
  /// A line of text with its left end and base line at a pixel; `unit` pixels are one of the alphabet's
  /// grid, six of which are the height of a tall letter.
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
          // Each piece lies over the last one: added up, their round ends would stand out.
          _ = planes.addFinalised(
            path, scale: Scale(x: unit, y: unit), offset: SIMD2(4, Float(rise)))
          planes.endStroke()
        }
      }
    }
  }

  /// Small discs at places of a cell.
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
