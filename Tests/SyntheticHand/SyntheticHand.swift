import Ink

/// A simulated hand that writes as people do: slower in bends, from rest to rest.
///
/// No person's signature is in the project.
public struct SyntheticHand: Sendable {
  /// Reports per second.
  public var rate: Double
  /// Millimetres per second on a straight line.
  public var speed: Float

  /// A hand on a screen with a report rate.
  public init(rate: Double = 125, speed: Float = 220) {
    self.rate = rate
    self.speed = speed
  }

  /// The samples of a stroke through points in millimetres.
  public func stroke(through points: [Point], start: Int64 = 0) -> [Sample] {
    let path = Curve.walk(points, step: 0.05)
    let times = arrival(along: path)
    guard let total = times.last, path.count > 1 else {
      return path.map { Sample(time: start, position: $0) }
    }
    var samples: [Sample] = []
    var index = 0
    for tick in 0...Int(total * Float(rate)) {
      let time = Float(Double(tick) / rate)
      while index < times.count - 2, times[index + 1] < time { index += 1 }
      let span = max(times[index + 1] - times[index], 1e-9)
      let t = min(1, (time - times[index]) / span)
      samples.append(
        Sample(
          time: start + Int64(Double(tick) * 1e9 / rate),
          position: path[index] + (path[index + 1] - path[index]) * t))
    }
    return samples
  }

  /// The time at each point in seconds.
  ///
  /// The speed falls with the cube root of the curvature (Lacquaniti's two-thirds power law) and at both ends.
  private func arrival(along path: [Point]) -> [Float] {
    var travelled: [Float] = [0]
    for index in path.indices.dropFirst() {
      travelled.append(travelled[index - 1] + (path[index] - path[index - 1]).length)
    }
    let total = travelled.last ?? 0
    var times: [Float] = [0]
    for index in path.indices.dropFirst() {
      let bend = curvature(path, at: index)
      let fromEnd = min(travelled[index], total - travelled[index])
      let ease = min(1, 0.12 + fromEnd / 4)
      let speed = speed * ease / (1 + cubeRoot(bend * 3))
      times.append(times[index - 1] + (path[index] - path[index - 1]).length / speed)
    }
    return times
  }

  /// The curvature in 1/mm, over half a millimetre on both sides.
  private func curvature(_ path: [Point], at index: Int) -> Float {
    let before = path[index] - path[max(0, index - 10)]
    let after = path[min(path.count - 1, index + 10)] - path[index]
    let cross = abs(before.x * after.y - before.y * after.x)
    let product = before.length * after.length
    return product > 0 ? cross / product / max(before.length, 0.05) : 0
  }

  private func cubeRoot(_ value: Float) -> Float {
    guard value > 0 else { return 0 }
    var root = max(value, 1)
    for _ in 0..<24 { root = (2 * root + value / (root * root)) / 3 }
    return root
  }
}

extension SyntheticHand {
  /// The word "Paraph" with a flourish, as strokes of samples in millimetres.
  ///
  /// - Parameters:
  ///   - origin: The left end of the base line.
  ///   - height: The height of a small letter.
  public func paraph(at origin: Point, height: Float) -> [[Sample]] {
    var start: Int64 = 0
    return SyntheticHand.letters.map { letters in
      let points = letters.map { origin + Point($0.x + 0.22 * $0.y, -$0.y) * height }
      let samples = stroke(through: points, start: start)
      start = (samples.last?.time ?? start) + 180_000_000
      return samples
    }
  }

  /// In heights of a small letter; y points up.
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

/// A smooth curve through points: centripetal Catmull-Rom, in short steps.
enum Curve {
  /// The curve's points about `step` apart.
  static func walk(_ points: [Point], step: Float) -> [Point] {
    guard points.count >= 3, let first = points.first, let last = points.last else { return points }
    let padded = [2 * first - points[1]] + points + [2 * last - points[points.count - 2]]
    var path = [first]
    for index in 1..<padded.count - 2 {
      let steps = max(1, Int((padded[index + 1] - padded[index]).length / step))
      for k in 1...steps {
        path.append(between(Array(padded[index - 1...index + 2]), Float(k) / Float(steps)))
      }
    }
    return path
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
