import Testing

@testable import Ink

@Suite struct StepTests {
  @Test func `a low-pass remembers the less the longer a step is`() {
    for ticks in [Float(0.02), 0.2, 1, 2, 5] {
      #expect(abs(Step(ticks).decay - exponential(-ticks / 2)) < 0.02, "\(ticks) ticks")
    }
  }

  @Test func `after steps in a row it remembers what each leaves of it, down to nothing`() {
    let both = Step(0.7) + Step(1.9)
    #expect(both.ticks == Float(0.7) + Float(1.9))
    #expect(abs(both.decay - Step(0.7).decay * Step(1.9).decay) < 0.001)
    var rest = Step.zero
    for _ in 0..<100 { rest = rest + Step(7) }
    #expect(rest.decay < 1e-4)
  }

  @Test func `two short steps leave as much as a long one, up to the longest between two reports`()
  {
    for index in 1...100 {
      let ticks = Float(index) * 0.1
      let whole = Step(ticks).decay
      let half = Step(ticks / 2).decay
      #expect(abs(whole - half * half) < 0.001, "\(ticks) ticks")
      #expect(abs(whole - exponential(-ticks / 2)) < 0.001, "\(ticks) ticks")
    }
    #expect(Step(1e30).decay < 1e-4)
  }

  /// e to the power of a small number.
  private func exponential(_ power: Float) -> Float {
    var (sum, term) = (Float(1), Float(1))
    for n in 1..<30 {
      term *= power / Float(n)
      sum += term
    }
    return sum
  }
}
