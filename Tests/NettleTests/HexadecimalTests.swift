import Nettle
import Testing

@Suite struct HexadecimalTests {
  @Test func `every byte is encoded and decoded`() {
    let bytes = (0...255).map { UInt8($0) }
    let text = Hexadecimal.text(bytes)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
    #expect(Hexadecimal.bytes(text) == bytes)
  }

  @Test(arguments: ["0", "0g", "AB", "é"])
  func `any other text is refused`(text: String) {
    #expect(Hexadecimal.bytes(text) == nil)
  }
}
