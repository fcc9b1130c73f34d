import Ink

/// A smooth way through points: centripetal Catmull-Rom, walked in short steps.
enum Curve {
  /// Points about `step` apart, from the first to the last.
  static func walk(_ points: [Point], step: Float) -> [Point] {
    guard points.count >= 3, let first = points.first, let last = points.last else { return points }
    let padded = [2 * first - points[1]] + points + [2 * last - points[points.count - 2]]
    var way = [first]
    for index in 1..<padded.count - 2 {
      let steps = max(1, Int((padded[index + 1] - padded[index]).length / step))
      for k in 1...steps {
        way.append(between(Array(padded[index - 1...index + 2]), Float(k) / Float(steps)))
      }
    }
    return way
  }

  private static func between(_ p: [Point], _ t: Float) -> Point {
    let knots = (0..<3).reduce(into: [Float(0)]) { knots, i in
      knots.append(knots[i] + max((p[i + 1] - p[i]).length.squareRoot(), 1e-3))
    }
    let u = knots[1] + t * (knots[2] - knots[1])
    func mix(_ a: Point, _ b: Point, _ i: Int, _ j: Int) -> Point {
      (a * (knots[j] - u) + b * (u - knots[i])) / (knots[j] - knots[i])
    }
    let (a, b, c) = (mix(p[0], p[1], 0, 1), mix(p[1], p[2], 1, 2), mix(p[2], p[3], 2, 3))
    return mix(mix(a, b, 0, 2), mix(b, c, 1, 3), 1, 2)
  }
}
