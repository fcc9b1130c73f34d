@testable import Ink

/// A stroke's centre line as chords, and its width along them.
struct CentreLine {
  private(set) var x: [Float] = []
  private(set) var y: [Float] = []
  private(set) var weight: [Float] = []

  init(_ segments: [Segment], steps: Int = 8) {
    for segment in segments {
      switch segment.shape {
      case .dot:
        if !segment.isCap { append(segment.p0) }
      default:
        if x.isEmpty { append(segment.p0) }
        for step in 1...steps { append(segment.point(at: Float(step) / Float(steps))) }
      }
    }
  }

  /// Centripetal Catmull-Rom through samples (Barry and Goldman 1988; α = ½): the reference line.
  init(catmullRomThrough samples: [Sample], steps: Int = 8) {
    var points: [Point] = []
    for sample in samples where sample.position != points.last { points.append(sample.position) }
    guard let first = points.first else { return }
    append(WeightedPoint(first, weight: 1))
    for index in 0..<max(0, points.count - 1) {
      let (b, c) = (points[index], points[index + 1])
      let a = index > 0 ? points[index - 1] : 2 * b - c
      let d = index + 2 < points.count ? points[index + 2] : 2 * c - b
      let (s, t, u) = (
        (b - a).length.squareRoot(), (c - b).length.squareRoot(), (d - c).length.squareRoot()
      )
      let along = (c - b) / t
      let (before, after): (Point, Point) = ((c - a) / (s + t), (d - b) / (t + u))
      let out: Point = t * ((b - a) / s - before + along)
      let back: Point = t * (along - after + (d - c) / u)
      let handles: [Point] = [b, b + out / 3, c - back / 3, c]
      let points = handles.map { WeightedPoint($0, weight: 1) }
      let curve = Segment(points[0], points[1], points[2], points[3])
      for step in 1...steps { append(curve.point(at: Float(step) / Float(steps))) }
    }
  }

  private mutating func append(_ point: WeightedPoint) {
    x.append(point.position.x)
    y.append(point.position.y)
    weight.append(point.weight)
  }

  var end: Point { Point(x.last ?? .nan, y.last ?? .nan) }

  /// The distance to the nearest point of the line, and the width there.
  func nearest(to point: Point) -> (distance: Float, weight: Float) {
    var best = Float.infinity
    var width = weight.first ?? 0
    let (px, py) = (point.x, point.y)
    var i = 0
    let last = x.count - 1
    // Without optimisation an array's elements and a range's numbers are calls.
    x.withUnsafeBufferPointer { x in
      y.withUnsafeBufferPointer { y in
        guard let x = x.baseAddress, let y = y.baseAddress else { return }
        while i < last {
          let (ax, ay) = (x[i], y[i])
          let (dx, dy) = (x[i + 1] - ax, y[i + 1] - ay)
          let (ex, ey) = (px - ax, py - ay)
          let square = dx * dx + dy * dy
          var t = square > 0 ? (ex * dx + ey * dy) / square : 0
          t = t < 0 ? 0 : t > 1 ? 1 : t
          let (fx, fy) = (ex - t * dx, ey - t * dy)
          let distance = fx * fx + fy * fy
          if distance < best {
            best = distance
            width = weight[i] + t * (weight[i + 1] - weight[i])
          }
          i += 1
        }
      }
    }
    if x.count == 1 { best = (px - x[0]) * (px - x[0]) + (py - y[0]) * (py - y[0]) }
    return (best.squareRoot(), width)
  }

  /// How far the line turns in all, in radians.
  var turning: Float {
    var sum: Float = 0
    var last = Point.zero
    for i in 0..<max(0, x.count - 1) {
      let way = Point(x[i + 1] - x[i], y[i + 1] - y[i])
      guard way.length > 1e-6 else { continue }
      if last != .zero {
        let cosine = (way * last).sum() / (way.length * last.length)
        sum += CentreLine.arcCosine(min(1, max(-1, cosine)))
      }
      last = way
    }
    return sum
  }

  private static func arcCosine(_ x: Float) -> Float { Float(Double(x).arcCosine) }
}
