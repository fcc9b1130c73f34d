@testable import Ink

/// What a model drew of one stroke.
struct DrawnStroke {
  /// All that is final.
  private(set) var segments: [Segment] = []
  /// After each sample, and after the end: how many segments were final, and the tail.
  private(set) var steps: [(final: Int, tail: [Segment])] = []

  init(
    _ samples: [Sample], kind: StrokeModel.Kind = .ductus, law: WidthLaw = .standard,
    prediction: Int64 = 0
  ) {
    var model = StrokeModel(kind, law: law)
    model.prediction = prediction
    var ink = StrokeInk()
    for (index, sample) in samples.enumerated() {
      if index == 0 {
        model.begin(at: sample, into: &ink)
      } else {
        model.extend(to: sample, into: &ink)
      }
      take(&ink)
    }
    model.end(into: &ink)
    take(&ink)
  }

  private mutating func take(_ ink: inout StrokeInk) {
    for index in 0..<ink.finalised.count { segments.append(ink.finalised[index]) }
    ink.finalised.removeAll()
    steps.append((segments.count, (0..<ink.provisional.count).map { ink.provisional[$0] }))
  }

  /// The outlines of all segments, as polygons.
  func outlines(kind: StrokeModel.Kind = .ductus, steps: Int = 12) -> [[Point]] {
    segments.map { Self.outline(of: $0, kind: kind, steps: steps) }
  }

  static func outline(
    of segment: Segment, kind: StrokeModel.Kind = .ductus, steps: Int = 12
  ) -> [Point] {
    var path = Path(capacity: 32)
    StrokeModel.outline(of: segment, by: kind, into: &path)
    var polygon: [Point] = []
    var next = 0
    for index in path.verbs.indices {
      switch path.verbs[index] {
      case .move, .line:
        polygon.append(path.points[next])
        next += 1
      case .quad:
        next += 2
        polygon.append(path.points[next - 1])
      case .cubic:
        let here = polygon[polygon.count - 1]
        let points = [here, path.points[next], path.points[next + 1], path.points[next + 2]]
          .map { WeightedPoint($0, weight: 0) }
        let curve = Segment(points[0], points[1], points[2], points[3])
        for step in 1...steps {
          polygon.append(curve.point(at: Float(step) / Float(steps)).position)
        }
        next += 3
      }
    }
    return polygon
  }
}
