import Ink

extension StrokeFile {
  /// More than this is nobody's glass, in millimetres.
  private static let largestGlass: Float = 500

  /// Reads a file for a picture, which has to have a size: where nothing states the units, they are
  /// guessed, and the guess is told.
  init(measured path: String, units: Double?) throws(ToolError) {
    try self.init(path, units: units)
    if let guess = assumeSize() {
      Notice.write(
        "\(path) does not say how many units are a millimetre: \(guess) are taken (--units-per-mm)")
    }
  }

  /// Gives strokes the smallest power of ten for the units of a millimetre with which they fit on a
  /// glass. Returns it where it is not 1.
  private mutating func assumeSize() -> Int? {
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
