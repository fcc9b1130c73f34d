import Testing

@testable import Ink

@Suite struct StepTests {
  @Test func `a low-pass remembers the less the longer a step is`() {
    for ticks in [Float(0.02), 0.2, 1, 2, 5] {
      #expect(abs(Step(ticks).memory - exponential(-ticks / 2)) < 0.02, "\(ticks) ticks")
    }
  }

  @Test func `after steps in a row it remembers what each left of it, down to nothing`() {
    let both = Step(Step(0.7), Step(1.9))
    #expect(both.ticks == Float(0.7) + Float(1.9))
    #expect(both.memory == Step(0.7).memory * Step(1.9).memory)
    var rest = Step.none
    for _ in 0..<100 { rest = Step(rest, Step(7)) }
    #expect(rest.memory == 0)
  }

  @Test func `two short steps leave as much as a long one, up to the longest between two reports`()
  {
    for index in 1...100 {
      let ticks = Float(index) * 0.1
      let whole = Step(ticks).memory
      let halves = Step(Step(ticks / 2), Step(ticks / 2)).memory
      #expect(abs(whole - halves) < 0.001, "\(ticks) ticks")
      #expect(abs(whole - exponential(-ticks / 2)) < 0.001, "\(ticks) ticks")
    }
    #expect(Step(1e30).memory < 1e-4)
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
