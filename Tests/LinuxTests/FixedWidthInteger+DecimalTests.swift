import Linux
import Testing

@Suite struct DecimalTests {
  @Test func `digits are the number that the library reads`() {
    for number in [0, 7, -1, 660, Int64.max, Int64.min + 1] {
      #expect(Int64(decimal: "\(number)") == number)
    }
    #expect(UInt32(decimal: "4294967295") == .max)
  }

  @Test(arguments: ["", "-", "+5", " 5", "5 ", "0x10", "1.5", "٣", "9223372036854775808"])
  func `what is no number, or too large, is nil`(text: String) {
    #expect(Int64(decimal: text) == nil)
  }

  @Test func `what another type cannot hold is nil`() {
    #expect(UInt32(decimal: "-1") == nil)
    #expect(UInt32(decimal: "4294967296") == nil)
  }
}
