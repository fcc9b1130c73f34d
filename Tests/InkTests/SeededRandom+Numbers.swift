import Foundation
import SyntheticHand

extension SeededRandom {
  mutating func real(_ range: ClosedRange<Double>) -> Double {
    let unit = Double(next() >> 11) / Double(1 << 53)
    return range.lowerBound + unit * (range.upperBound - range.lowerBound)
  }

  mutating func integer(_ range: Range<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Of mean 0 and variance 1 (Box and Muller).
  mutating func normal() -> Double {
    (-2 * log(real(1e-12...1))).squareRoot() * cos(real(0...(2 * .pi)))
  }
}
