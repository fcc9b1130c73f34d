import Ink

extension StrokeFile {
  /// More than this is nobody's glass, in millimetres.
  private static let largestGlass: Float = 500

  /// Where the models' own bound is, in millimetres from the origin: beyond it, neither the sizes of pictures nor
  /// what is calculated with them fit into their types.
  private static let farthest: Float = 1_000_000

  /// Reads a file whose coordinates are drawn as they are; those beyond the bound are an error.
  init(bounded path: String, units: Double?) throws(ToolError) {
    try self.init(path, units: units)
    try checkPlaces(path)
  }

  /// Reads a file for a picture, which has to have a size: where nothing states the units, they are
  /// guessed, and the guess is told.
  init(measured path: String, units: Double?) throws(ToolError) {
    try self.init(path, units: units)
    let guess = assumeSize()
    try checkPlaces(path)
    if let guess {
      Notice.write(
        "\(path) does not say how many units are a millimetre: \(guess) are taken (--units-per-mm)")
    }
  }

  /// Finite places of all samples.
  var places: [Point] {
    strokes.flatMap(\.samples).map(\.position).filter { $0.x.isFinite && $0.y.isFinite }
  }

  private func checkPlaces(_ path: String) throws(ToolError) {
    for stroke in strokes {
      for sample in stroke.samples {
        let place = sample.position
        // NaN is no place, and is left out.
        if abs(place.x) > StrokeFile.farthest || abs(place.y) > StrokeFile.farthest {
          throw ToolError(
            .data,
            "\(path): coordinates exceed \(Int(StrokeFile.farthest)) mm (check --units-per-mm)")
        }
      }
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
    for place in places {
      from = Point(min(from.x, place.x), min(from.y, place.y))
      to = Point(max(to.x, place.x), max(to.y, place.y))
    }
    return max(to.x - from.x, to.y - from.y)
  }
}
