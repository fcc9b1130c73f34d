import Ink
import SyntheticHand

extension SeededRandom {
  mutating func point(_ x: ClosedRange<Float>, _ y: ClosedRange<Float>) -> Point {
    Point(Float.random(in: x, using: &self), Float.random(in: y, using: &self))
  }

  /// A stroke of a hand that neither stops nor turns back: samples in millimetres, 10 ms apart.
  mutating func stroke(samples: Int, from start: Point) -> [Sample] {
    var position = start
    var direction = Float.random(in: -3...3, using: &self)
    var speed = Float.random(in: 0.5...2, using: &self)
    return (0..<samples).map { index in
      defer {
        direction += Float.random(in: -0.4...0.4, using: &self)
        speed = min(max(speed + Float.random(in: -0.4...0.4, using: &self), 0.4), 3)
        position += Point(cosine(direction), cosine(direction - 1.5707964)) * speed
      }
      return Sample(time: Int64(index) * 10_000_000, position: position)
    }
  }

  /// Without the C library.
  private func cosine(_ angle: Float) -> Float {
    var x = Double(angle) / 6.283185307179586
    x -= x.rounded()
    var term = 1.0
    var sum = 1.0
    let square = x * x * 39.47841760435743
    for k in 1...10 {
      term *= -square / Double((2 * k - 1) * 2 * k)
      sum += term
    }
    return Float(sum)
  }
}
