import Ink

extension SyntheticHand {
  /// The word that names the project, with the flourish that it means: strokes of samples, in
  /// millimetres, standing on a line from `origin` to the right; `height` is that of a small letter.
  public func paraph(at origin: Point, height: Float) -> [[Sample]] {
    var start: Int64 = 0
    return SyntheticHand.letters.map { letters in
      let points = letters.map { origin + Point($0.x + 0.22 * $0.y, -$0.y) * height }
      let samples = stroke(through: points, start: start)
      start = (samples.last?.time ?? start) + 180_000_000
      return samples
    }
  }

  /// In heights of a small letter, y up.
  private static let letters: [[Point]] = [capital, word, flourish]

  private static let capital: [Point] = [
    Point(0.55, 2.35), Point(0.45, 1.2), Point(0.3, 0.0), Point(0.12, -0.2), Point(0.1, 0.1),
    Point(0.4, 1.3), Point(0.75, 2.3), Point(1.3, 2.65), Point(1.85, 2.3), Point(1.7, 1.6),
    Point(1.1, 1.2), Point(0.62, 1.3),
  ]

  private static let word: [Point] =
    place(a, at: 2.1) + place(r, at: 3.4) + place(a, at: 4.45) + place(p, at: 5.75)
    + place(h, at: 7.0)

  private static let a: [Point] = [
    Point(0.82, 0.86), Point(0.5, 1.0), Point(0.12, 0.6), Point(0.3, 0.03), Point(0.68, 0.35),
    Point(0.88, 0.95), Point(0.8, 0.3), Point(0.98, 0.02),
  ]
  private static let r: [Point] = [
    Point(0.15, 0.75), Point(0.25, 1.1), Point(0.36, 0.92), Point(0.68, 0.95), Point(0.6, 0.4),
    Point(0.72, 0.02),
  ]
  private static let p: [Point] = [
    Point(0.2, 0.95), Point(0.1, -0.3), Point(0.0, -1.2), Point(0.12, -0.2), Point(0.3, 0.75),
    Point(0.65, 1.0), Point(0.88, 0.6), Point(0.66, 0.08), Point(0.42, 0.12), Point(0.85, 0.06),
  ]
  private static let h: [Point] = [
    Point(0.3, 1.5), Point(0.42, 2.4), Point(0.24, 2.3), Point(0.14, 1.2), Point(0.05, 0.0),
    Point(0.2, 0.7), Point(0.52, 1.0), Point(0.7, 0.6), Point(0.68, 0.12), Point(0.95, 0.02),
    Point(1.4, 0.4),
  ]

  private static let flourish: [Point] = [
    Point(8.6, 0.7), Point(9.4, 0.9), Point(9.3, 0.1), Point(7.4, -0.75), Point(4.4, -0.95),
    Point(1.2, -0.75), Point(0.5, -1.15), Point(2.2, -1.45), Point(5.2, -1.3), Point(9.0, -0.75),
  ]

  private static func place(_ letter: [Point], at x: Float) -> [Point] {
    letter.map { $0 + Point(x, 0) }
  }
}
