@testable import Ink

/// Millimetres of a place given in points of 1/163 inch, the unit of the published models.
func points(_ x: Float, _ y: Float = 0) -> Point { Point(x, y) * UberSignature.pointSize }

/// What a model made of a stroke, sample by sample.
struct Drawing {
  /// All final segments.
  var finalised: [Segment] = []
  /// The tail after each sample.
  var tails: [[Segment]] = []

  /// Draws places, `milliseconds` apart.
  init(_ kind: StrokeModel.Kind, through places: [Point], milliseconds: Int64 = 10) {
    self.init(
      kind,
      places.enumerated().map { index, place in
        Sample(time: Int64(index) * milliseconds * 1_000_000, position: place)
      })
  }

  init(_ kind: StrokeModel.Kind, _ samples: [Sample]) {
    var model = StrokeModel(kind)
    var ink = StrokeInk()
    for (index, sample) in samples.enumerated() {
      if index == 0 {
        model.begin(at: sample, into: &ink)
      } else {
        model.extend(to: sample, into: &ink)
      }
      take(&ink)
      tails.append((0..<ink.provisional.count).map { ink.provisional[$0] })
    }
    model.end(into: &ink)
    take(&ink)
  }

  private mutating func take(_ ink: inout StrokeInk) {
    for index in 0..<ink.finalised.count { finalised.append(ink.finalised[index]) }
    ink.finalised.removeAll()
  }
}

extension WeightedPoint {
  /// Whether it is where and as wide as expected, in points of 1/163 inch.
  func isAt(_ x: Float, _ y: Float, width: Float, within tolerance: Float = 1e-3) -> Bool {
    let size = UberSignature.pointSize
    return abs(position.x / size - x) < tolerance && abs(position.y / size - y) < tolerance
      && abs(weight / size - width) < tolerance
  }
}

/// The points of a segment's outline, in points of 1/163 inch.
func outline(_ segment: Segment, by kind: StrokeModel.Kind) -> [Point] {
  var path = Path()
  StrokeModel.outline(of: segment, by: kind, into: &path)
  return path.points.indices.map { path.points[$0] / UberSignature.pointSize }
}

/// Whether two lists of points agree.
func agree(_ a: [Point], _ b: [Point], within tolerance: Float = 1e-3) -> Bool {
  a.count == b.count
    && zip(a, b).allSatisfy {
      abs($0.x - $1.x) <= tolerance && abs($0.y - $1.y) <= tolerance
    }
}
