import SyntheticHand
import Testing

@testable import Ink

@Suite struct MeasurementNoiseTests {
  private func measured(error: Double, hand: (Double) -> Point) -> Float {
    var random = SeededRandom(seed: 3)
    var noise = MeasurementNoise()
    var last = hand(0)
    for index in 1...200 {
      let shake = Point(Float(random.normal() * error), Float(random.normal() * error))
      let place = hand(Double(index) / 100) + shake
      noise.learn(place - last, interval: 1)
      last = place
    }
    return noise.measured.squareRoot()
  }

  @Test(arguments: [0.05, 0.1, 0.2])
  func `a panel's error is found in what a hand draws`(error: Double) {
    let found = measured(error: error) { Point(Float($0 * 100), 5 * Float($0 * 30).sine) }
    #expect(found > Float(error) * 0.7 && found < Float(error) * 1.3)
  }

  @Test func `movement on a good panel is not taken for noise`() {
    let found = measured(error: 0) { Point(Float($0 * 100), 5 * Float($0 * 30).sine) }
    #expect(found < 0.02)
  }

  @Test func `sharp turns on a good panel are not taken for noise`() {
    // Stairs: a corner after each 25 reports.
    let found = measured(error: 0) {
      let reports = Float($0 * 100)
      let leg = Int(reports) / 25
      let along = reports - Float(leg) * 25
      let (right, down) = (Float((leg + 1) / 2) * 25, Float(leg / 2) * 25)
      return leg % 2 == 0 ? Point(right + along, down) : Point(right, down + along)
    }
    #expect(found < 0.03)
  }

  @Test func `invisible error stays in the ink`() {
    func variance(trembling: Float) -> Float {
      var noise = MeasurementNoise()
      for index in 0..<100 {
        noise.learn(Point(1, index % 2 == 0 ? trembling : -trembling), interval: 1)
      }
      return noise.variance
    }
    // Steps that go up and down by 0.01 mm are places that do so by 0.005 mm.
    #expect(variance(trembling: 0.01) < 1e-4)
    #expect(variance(trembling: 0.1) > 1e-3)
  }

  @Test func `at 50 reports a second, reports are taken as exact`() {
    var noise = MeasurementNoise()
    for index in 0..<100 { noise.learn(Point(1, index % 2 == 0 ? 0.5 : -0.5), interval: 2) }
    #expect(noise.variance < 1e-4)
  }
}
