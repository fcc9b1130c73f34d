import Signature
import Testing

@Suite struct FixedPointTests {
  private func text(_ value: Float, _ decimals: Int) -> String {
    var bytes: [UInt8] = []
    FixedPoint(decimals: decimals).append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      (0, "0.000"), (1, "1.000"), (-1.5, "-1.500"), (0.0004, "0.000"), (0.0006, "0.001"),
      (-0.0001, "0.000"), (-0.25, "-0.250"), (123456.5, "123456.500"), (0.001, "0.001"),
    ] as [(Float, String)])
  func `three decimals, rounded, with a digit before the point`(value: Float, expected: String) {
    #expect(text(value, 3) == expected)
  }

  @Test func `without decimals there is no point`() {
    #expect(text(-12.4, 0) == "-12" && text(0.2, 0) == "0" && text(2e9, 0) == "2000000000")
  }

  @Test func `a number that is not finite is 0, and a huge one is clamped`() {
    #expect(text(.nan, 2) == "0.00" && text(.infinity, 2) == "0.00")
    #expect(text(-.greatestFiniteMagnitude, 9) == "-9000000000.000000000")
  }

  @Test func `a number reads back within half of the last decimal`() throws {
    var value: Float = 1e-6
    while value < 1e6 {
      for sign in [-1, 1] as [Float] {
        let read = try #require(Double(text(sign * value, 5)))
        #expect(abs(read - Double(sign * value)) <= 0.50001e-5)
      }
      value *= 1.37
    }
  }
}
