import SyntheticHand

@testable import Ink

/// A panel that reports where a hand is: at its times, with its error, in its units.
struct Digitiser {
  /// Ticks of half a millisecond between two reports.
  enum Rhythm {
    case even(hertz: Double)
    /// 8 and 9 ms, and now and then a report is missing.
    case phone
  }

  var rhythm = Rhythm.even(hertz: 100)
  /// Millimetres of one unit, and of one standard deviation.
  var unit = 0.01
  var error = 0.0

  static let tablet = Digitiser(error: 0.017)
  static let phone = Digitiser(rhythm: .phone, unit: 0.084, error: 0.119)

  func samples(of stroke: [SIMD2<Double>], _ random: inout SeededRandom) -> [Sample] {
    var samples: [Sample] = []
    var time = 0.0
    while Int(time * 2000) < stroke.count - 1 {
      let index = Int(time * 2000)
      let part = time * 2000 - Double(index)
      let place = stroke[index] + (stroke[index + 1] - stroke[index]) * part
      let shaken = place + SIMD2(random.normal(), random.normal()) * error
      samples.append(
        Sample(
          time: Int64((time * 1e9).rounded()),
          position: Point(
            Float((shaken.x / unit).rounded() * unit), Float((shaken.y / unit).rounded() * unit))))
      time += step(&random)
    }
    return samples
  }

  private func step(_ random: inout SeededRandom) -> Double {
    switch rhythm {
    case .even(let hertz): return 1 / hertz
    case .phone:
      if random.real(0...1) < 0.06 { return [0.016, 0.017, 0.025, 0.026][random.integer(0..<4)] }
      return random.real(0...1) < 0.7 ? 0.009 : 0.008
    }
  }
}
