import Ink

/// A rectangle, in millimetres.
func box(_ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float) -> Path {
  var path = Path()
  path.move(to: Point(x0, y0))
  path.line(to: Point(x1, y0))
  path.line(to: Point(x1, y1))
  path.line(to: Point(x0, y1))
  return path
}
