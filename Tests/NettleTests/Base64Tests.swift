import Nettle
import Testing

@Suite struct Base64Tests {
  // RFC 4648, 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `bytes are encoded and decoded as the RFC does`(text: String, letters: String) {
    #expect(String(decoding: Base64.letters(of: Array(text.utf8)), as: UTF8.self) == letters)
    #expect(Base64.bytes(of: letters) == Array(text.utf8))
  }

  @Test(arguments: ["Zg=", "Z", "Zg==Zg==", "Zm9v!", "é"])
  func `a text that is not Base64 is refused`(text: String) {
    #expect(Base64.bytes(of: text) == nil)
  }
}
