import Testing

@testable import Ink

@Suite struct ProcessNoiseTests {
  private func density(
    variance: Float = 0, _ ways: [Point], ticks: Float = 1
  ) -> Float {
    var noise = ProcessNoise()
    for way in ways { noise.learn(way, Step(ticks), variance: variance) }
    return noise.density
  }

  @Test func `an even hand has at least a tenth of the ordinary process noise`() {
    #expect(abs(density(Array(repeating: Point(2, 1), count: 60)) - 0.005) < 1e-6)
    #expect(density([]) == 0.05)
  }

  @Test func `a hasty hand is learned, with a limit for a single jump`() {
    let hasty = (0..<60).map { Point($0 % 4 < 2 ? 3 : -3, $0 % 3 == 0 ? 2 : -2) }
    #expect(density(hasty) > 1)
    let even = Array(repeating: Point(1, 0), count: 60)
    #expect(density(even + [Point(500, 0)]) <= 0.05)
    #expect(density(even + Array(repeating: Point(3e5, -3e5), count: 400)).isFinite)
  }

  @Test func `the panel's jitter does not count as movement of the hand`() {
    let shaken = (0..<80).map { Point(1, $0 % 2 == 0 ? 0.1 : -0.1) }
    #expect(abs(density(variance: 0.01, shaken) - 0.005) < 1e-6)
    #expect(density(variance: 0, shaken) > 0.006)
  }

  @Test func `the same hand in longer steps is as agile`() {
    // A parabola back and forth: the velocity changes by 0.4 mm per tick in each tick.
    func ways(_ ticks: Float) -> [Point] {
      (0..<80).map { Point(0, Float($0 % 2 == 0 ? 1 : -1) * 0.2 * ticks * ticks) }
    }
    let (short, long) = (density(ways(0.8), ticks: 0.8), density(ways(1.6), ticks: 1.6))
    #expect(abs(long / short - 2) < 0.2)
  }
}
