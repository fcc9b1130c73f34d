import Ink

/// Where a hand turns most sharply: what is worth a look through a glass.
enum SharpestTurn {
  /// The ways before and after a turn are taken over this many millimetres: less is the panel's noise.
  private static let reach: Float = 0.8

  /// The place of the sharpest turn of all strokes; nil where no hand goes far enough to turn.
  static func place(in strokes: [Stroke]) -> Point? {
    var best: (cosine: Float, place: Point)?
    for places in strokes.map({ $0.samples.map { $0.position } }) {
      for index in places.indices {
        let here = places[index]
        guard
          let before = places[..<index].last(where: { ($0 - here).length >= reach }),
          let after = places[index...].first(where: { ($0 - here).length >= reach })
        else { continue }
        let (a, b) = (here - before, after - here)
        let cosine = (a * b).sum() / (a.length * b.length)
        if best == nil || cosine < best?.cosine ?? 1 { best = (cosine, here) }
      }
    }
    return best?.place
  }
}
