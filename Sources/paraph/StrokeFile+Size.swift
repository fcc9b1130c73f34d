import Ink

extension StrokeFile {
  /// More than this is nobody's glass, in millimetres.
  private static let largestGlass: Float = 500

  /// Gives strokes whose units nothing states a size that a glass may have: the smallest power of ten
  /// for the units of a millimetre. Returns it where it is not 1.
  mutating func assumeSize() -> Int? {
    guard let recording = unmeasured else { return nil }
    var units = 1
    while extent / Float(units) > StrokeFile.largestGlass, units < 1_000_000 { units *= 10 }
    guard units > 1 else { return nil }
    self = StrokeFile(recording, Double(units))
    return units
  }

  /// The longer side of the rectangle around all places.
  private var extent: Float {
    var (from, to) = (Point(.infinity, .infinity), Point(-.infinity, -.infinity))
    for sample in strokes.lazy.flatMap(\.samples) {
      let place = sample.position
      from = Point(min(from.x, place.x), min(from.y, place.y))
      to = Point(max(to.x, place.x), max(to.y, place.y))
    }
    return max(to.x - from.x, to.y - from.y)
  }
}
