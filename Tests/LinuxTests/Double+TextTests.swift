import Linux
import Testing

@Suite struct NumberTextTests {
  @Test(arguments: [
    (2.0, "2"), (1.5, "1.5"), (-0.25, "-0.25"), (0.1 + 0.2, "0.3"), (1e20, "1e+20"), (0, "0"),
  ])
  func `a number has as few digits as it needs`(number: Double, text: String) {
    #expect(number.text(digits: 15) == text)
  }

  @Test func `seventeen digits give any number back`() {
    for number in [0.1, 1.0 / 3, .pi, .leastNonzeroMagnitude, -Double.greatestFiniteMagnitude] {
      #expect(Double(number.text(digits: 17)) == number)
    }
  }
}
