import Ink
import Raster

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
