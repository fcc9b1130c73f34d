import Foundation
import SyntheticHand

@testable import Ink

/// How true a model is to the hand, in millimetres: the measures by which the models are compared.
struct Fidelity {
  /// Every second sample fed: distance of those left out from the centre line.
  var unseen: [Float] = []
  /// Samples shaken by 0.1 mm: distance of the unshaken ones.
  var noisy: [Float] = []
  /// Distance of the fed samples.
  var pass: [Float] = []
  /// Distance of the last sample from the line's end.
  var end: [Float] = []
  /// Relative difference in width between every second sample fed and all.
  var width: [Float] = []
  /// How far the tail's tip was from where the line at last passed.
  var tip: [Float] = []
  private var turned: Float = 0
  private var reference: Float = 0

  /// Turning of the shaken samples' line, relative to the clean Catmull-Rom line's.
  var turning: Float { turned / reference }

  init(_ strokes: [[Sample]], kind: StrokeModel.Kind = .ductus, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for samples in strokes where samples.count > 4 { measure(samples, kind, &random) }
  }

  private mutating func measure(
    _ samples: [Sample], _ kind: StrokeModel.Kind, _ random: inout SeededRandom
  ) {
    let drawn = DrawnStroke(samples, kind: kind)
    let line = CentreLine(drawn.segments)
    pass += samples.map { line.nearest(to: $0.position).distance }
    // The last step is the end, after which there is no tail.
    for step in drawn.steps.dropLast() {
      let end = step.tail.last?.end.position ?? Point(.infinity, .infinity)
      tip.append(line.nearest(to: end).distance)
    }
    if let last = samples.last { end.append((line.end - last.position).length) }
    reference += CentreLine(catmullRomThrough: samples).turning

    let half = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    let sparse = CentreLine(DrawnStroke(half, kind: kind).segments)
    for index in stride(from: 1, to: samples.count - 1, by: 2) {
      unseen.append(sparse.nearest(to: samples[index].position).distance)
    }
    for sample in half {
      let (a, b) = (sparse.nearest(to: sample.position), line.nearest(to: sample.position))
      width.append(abs(a.weight / b.weight - 1))
    }

    let shaken = samples.map {
      var sample = $0
      sample.position += Point(Float(random.normal()), Float(random.normal())) * 0.1
      return sample
    }
    let calm = CentreLine(DrawnStroke(shaken, kind: kind).segments)
    noisy += samples.map { calm.nearest(to: $0.position).distance }
    turned += calm.turning
  }
}

extension [Float] {
  /// The value below which a share of the values lies.
  func percentile(_ share: Float) -> Float {
    guard !isEmpty else { return .nan }
    return sorted()[Swift.min(count - 1, Int(share * Float(count)))]
  }
}

extension Double {
  var arcCosine: Double { acos(self) }
}

extension Float {
  var sine: Float { sin(self) }
}
