import SyntheticHand
import Testing

@testable import Ink

@Suite struct StrokeModelTests {
  static let kinds = StrokeModel.Kind.allCases

  private func isFinite(_ segment: Segment) -> Bool {
    [segment.p0, segment.p1, segment.p2, segment.p3].allSatisfy {
      $0.position.x.isFinite && $0.position.y.isFinite && $0.weight.isFinite && $0.weight >= 0
    }
  }

  /// Samples as a broken panel might report them: extremes, no numbers, and places and times that
  /// repeat, between ordinary ones.
  private func wildSamples(_ random: inout SeededRandom) -> [Sample] {
    let numbers: [Float] = [
      0, -0, .leastNonzeroMagnitude, -1e-30, 1e-6, 1, 80.5, -3e4, 1e12, 1e30,
      .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .nan, .infinity, -.infinity,
    ]
    let times: [Int64] = [0, 1, -1, 3_600_000_000_000, .max, .min]
    var last = Sample(time: 0, position: Point(40, 40))
    return (0..<Int.random(in: 1...60, using: &random)).map { _ in
      var sample = last
      sample.time &+= 8_000_000
      sample.position += Point(
        Float.random(in: -4...4, using: &random), Float.random(in: -4...4, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0: sample.position = last.position
      case 1: sample.position.x = numbers.randomElement(using: &random) ?? 0
      case 2: sample.position.y = numbers.randomElement(using: &random) ?? 0
      case 3: sample.time = times.randomElement(using: &random) ?? 0
      case 4: sample.time = last.time
      case 5: sample.pressure = numbers.randomElement(using: &random) ?? 0
      default: break
      }
      if sample.position.x.isFinite, sample.position.y.isFinite { last = sample }
      return sample
    }
  }

  @Test(arguments: kinds)
  func `whatever is reported, ink has no NaN and no infinity in it`(_ kind: StrokeModel.Kind) {
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let drawing = Drawing(kind, wildSamples(&random))
      for segment in drawing.finalised + drawing.tails.flatMap({ $0 }) {
        #expect(isFinite(segment), "seed \(seed): \(segment)")
        var path = Path()
        StrokeModel.outline(of: segment, by: kind, into: &path)
        let overflowed = path.overflowed
        #expect(!overflowed, "seed \(seed)")
        for index in path.points.indices {
          let point = path.points[index]
          #expect(point.x.isFinite && point.y.isFinite, "seed \(seed): \(segment)")
        }
      }
    }
  }

  @Test(arguments: kinds)
  func `a sample without a position changes nothing`(_ kind: StrokeModel.Kind) {
    let good = (0..<9).map { index in
      Sample(
        time: Int64(index) * 10_000_000,
        position: Point(Float(index) * 2, Float(index % 3)))
    }
    let bad = [Point(.nan, 1), Point(1, .infinity), Point(-.infinity, .nan)]
    var mixed: [Sample] = []
    for (index, sample) in good.enumerated() {
      var wrong = sample
      wrong.position = bad[index % 3]
      mixed += [wrong, sample, wrong]
    }
    #expect(Drawing(kind, mixed).finalised == Drawing(kind, good).finalised)
  }

  @Test(arguments: kinds)
  func `ink is the same when a model is used again`(_ kind: StrokeModel.Kind) {
    var model = StrokeModel(kind)
    var ink = StrokeInk()
    let samples = (0..<12).map {
      Sample(time: Int64($0) * 8_000_000, position: Point(Float($0), 3))
    }
    var strokes: [[Segment]] = []
    for _ in 0..<2 {
      ink.removeAll()
      model.begin(at: samples[0], into: &ink)
      for sample in samples.dropFirst() { model.extend(to: sample, into: &ink) }
      model.end(into: &ink)
      #expect(ink.provisional.count == 0)
      strokes.append((0..<ink.finalised.count).map { ink.finalised[$0] })
    }
    #expect(strokes[0] == strokes[1] && !strokes[0].isEmpty)
  }

  @Test(arguments: kinds)
  func `a stroke without a position leaves no ink`(_ kind: StrokeModel.Kind) {
    #expect(Drawing(kind, [Sample(time: 0, position: Point(.nan, 0))]).finalised.isEmpty)
  }
}
