import Foundation
import SyntheticHand

@testable import Ink

/// A hand that signs: chains of quick sub-movements along arcs, each with a lognormal speed
/// (Plamondon's sigma-lognormal model), as a person's arm and wrist make them. Nobody's signature is
/// in it. Its speeds, and how far simple curves miss it, are those of real signatures.
struct LognormalHand {
  /// Millimetres of a sub-movement, seconds between them, and their spread from hand to hand.
  var reach = 11.6
  var reachSpread = 0.42
  var pause = 0.085
  var pauseSpread = 0.17
  /// The lognormals' shape, and how long a sub-movement is in pauses.
  var sharpness = 0.127...0.364
  var breadth = 0.715
  var arc = 0.73
  var drift = 54.0
  var tremor = 0.018
  var corners = 0.6
  var longest = 1.34

  /// A pen on a tablet.
  static let pen = LognormalHand()
  /// A finger on a phone, in strokes as wide as the data set's.
  static let finger = LognormalHand(
    reach: 95, reachSpread: 0.27, pause: 0.119, pauseSpread: 0.17, sharpness: 0.184...0.27,
    breadth: 1.05, arc: 2.66, drift: 124, tremor: 0.05, corners: 0.86, longest: 1.27)

  /// A place for every half millisecond of each stroke.
  func signature(_ random: inout SeededRandom) -> [[SIMD2<Double>]] {
    let reach = reach * exp(random.normal() * reachSpread)
    let pause = pause * exp(random.normal() * pauseSpread)
    return (0..<random.integer(2..<7)).map { _ in
      stroke(&random, reach: reach * exp(random.normal() * 0.3), pause: pause)
    }
  }

  private func stroke(
    _ random: inout SeededRandom, reach: Double, pause: Double
  ) -> [SIMD2<Double>] {
    let count = Int(random.real(0.12...longest) * 2000)
    var speed = [SIMD2<Double>](repeating: SIMD2(drift, 0), count: count)
    var angle = random.real(-1.2...1.2)
    var side = 1.0
    var start = -0.12
    while start < Double(count) / 2000 {
      let long = random.real(0.3...1.3) * (random.real(0...1) < 0.3 ? 0.3 : 1)
      let turn = side * random.real(0.1...arc)
      let pulse = Pulse(
        start: start, length: reach * long, mean: log(pause * 1.5 * breadth),
        spread: random.real(sharpness), from: angle, turn: turn)
      pulse.add(to: &speed)
      let cornered = random.real(0...1) < corners
      angle += turn + side * (cornered ? random.real(1.5...3.2) : random.real(0...1))
      if random.real(0...1) < 0.35 { side = -side }
      start += pause * random.real(0.6...1.4)
    }
    let pitch = random.real(8...14) * 2 * .pi
    let phase = SIMD2(random.real(0...6.28), random.real(0...6.28))
    var place = SIMD2<Double>(40, 30)
    return speed.enumerated().map { index, speed in
      place += speed / 2000
      let t = pitch * Double(index) / 2000
      return place + tremor * SIMD2(sin(t + phase.x), sin(t + phase.y))
    }
  }
}

/// One sub-movement.
private struct Pulse {
  let start, length, mean, spread, from, turn: Double

  func add(to speed: inout [SIMD2<Double>]) {
    let first = max(0, Int(start * 2000) + 1)
    let last = min(speed.count, Int((start + exp(mean + 4 * spread)) * 2000))
    guard first < last else { return }
    for index in first..<last {
      let t = Double(index) / 2000 - start
      let x = (log(t) - mean) / spread
      guard x > -4 else { continue }
      let v = length / (spread * (2 * .pi).squareRoot() * t) * exp(-x * x / 2)
      let angle = from + turn * 0.5 * (1 + erf(x / 2.0.squareRoot()))
      speed[index] += v * SIMD2(cos(angle), sin(angle))
    }
  }
}
