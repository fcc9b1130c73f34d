import Ink
import Testing

@testable import Raster

@Suite struct RasteriserTests {
  /// Pixels per millimetre of a panel of 163 dpi.
  let scale = Scale(dpi: 163)

  /// Mean and greatest difference over the pixels that either inks.
  func compare(_ mask: borrowing Coverage, _ reference: ReferenceFill) -> (
    mean: Double, most: Double
  ) {
    let expected = reference.coverage()
    var sum = 0.0
    var most = 0.0
    var count = 0.0
    for y in 0..<reference.height {
      for x in 0..<reference.width {
        let is_ = Double(mask[x, y])
        let should = expected[y * reference.width + x]
        guard is_ > 0 || should > 0 else { continue }
        sum += abs(is_ - should)
        most = max(most, abs(is_ - should))
        count += 1
      }
    }
    return (sum / max(count, 1), most)
  }

  func segments(of stroke: [Sample]) -> [Segment] {
    var model = StrokeModel(.uberSignature)
    var ink = StrokeInk()
    var all: [Segment] = []
    for (index, sample) in stroke.enumerated() {
      index == 0 ? model.begin(at: sample, into: &ink) : model.extend(to: sample, into: &ink)
      for index in 0..<ink.finalised.count { all.append(ink.finalised[index]) }
      ink.finalised.removeAll()
    }
    model.end(into: &ink)
    for index in 0..<ink.finalised.count { all.append(ink.finalised[index]) }
    return all
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `an outline is as dark as its area`(seed: UInt64) {
    var random = Random(seed: seed)
    var rasteriser = Rasteriser()
    for segment in segments(of: random.stroke(samples: 14, from: Point(8, 8))) {
      var path = Path()
      StrokeModel.outline(of: segment, by: .uberSignature, into: &path)
      var mask = Coverage(width: 100, height: 100)
      var reference = ReferenceFill(width: 100, height: 100)
      _ = rasteriser.add(path, scale: scale, to: &mask)
      reference.add(path, scale: scale)
      let difference = compare(mask, reference)
      #expect(difference.mean <= 0.5 && difference.most <= 4, "seed \(seed): \(difference)")
    }
  }

  @Test(arguments: [0.4, 1, 3.3, 7, 20, 45] as [Float])
  func `a dot of any size is as dark as its area`(diameter: Float) {
    var path = Path()
    let place = Point(8.1, 7.7)
    let dot = WeightedPoint(place, weight: diameter / scale.x)
    StrokeModel.outline(of: Segment(dot: dot), by: .polyline, into: &path)
    var mask = Coverage(width: 100, height: 100)
    var reference = ReferenceFill(width: 100, height: 100)
    var rasteriser = Rasteriser()
    _ = rasteriser.add(path, scale: scale, to: &mask)
    reference.add(path, scale: scale)
    let difference = compare(mask, reference)
    #expect(difference.mean <= 0.5 && difference.most <= 4, "\(difference)")
  }
}
