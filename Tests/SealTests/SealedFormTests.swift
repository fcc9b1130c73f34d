import Seal
import Testing

@Suite struct SealedFormTests {
  private static let identifier: [UInt8] = [
    0x06, 0x0b, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x01, 0x17,
  ]

  @Test func `a whole AuthEnvelopedData is one, with each form of its length`() {
    #expect(SealedForm.matches([0x30, 0x0d] + Self.identifier))
    #expect(!SealedForm.matches([0x30, 0x0d] + Self.identifier, .signedData))
    #expect(SealedForm.matches([0x30, 0x82, 0x00, 0x0e] + Self.identifier + [0]))
  }

  @Test func `ink, other CMS and what is cut or too long are none`() {
    let whole = [0x30, 0x82, 0x00, 0x0e] + Self.identifier + [0]
    for count in 0..<whole.count { #expect(!SealedForm.matches(Array(whole.prefix(count)))) }
    #expect(!SealedForm.matches(whole + [0]))
    #expect(!SealedForm.matches(Array("{\"width\":71}".utf8)))
    // EnvelopedData, which is not authenticated.
    let other: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03]
    #expect(!SealedForm.matches([0x30, 0x0b] + other))
    // Lengths of 32 bits and of no end.
    #expect(!SealedForm.matches([0x30, 0x84, 0xff, 0xff, 0xff, 0xff] + Self.identifier))
    #expect(!SealedForm.matches([0x30, 0x80] + Self.identifier))
  }
}
