import Nettle
import Testing

@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `the digest is that of FIPS 180`(text: String, digest: String) {
    #expect(SHA256.text(of: Array(text.utf8)) == digest)
    #expect(Hexadecimal.text(SHA256.digest(of: Array(text.utf8))) == digest)
  }

  @Test func `the digest of parts is that of the whole`() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    var stream = SHA256.Stream()
    #expect(stream.text == SHA256.text(of: []))
    for end in stride(from: 7, through: 294, by: 7) {
      stream.add(Array(bytes[end - 7..<end]))
      #expect(stream.text == SHA256.text(of: Array(bytes.prefix(end))))
    }
  }

  @Test func `the code is that of RFC 4231`() {
    let code = SHA256.authenticationCode(
      of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(code == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test func `digests are equal if all their bytes are`() {
    let digest = SHA256.digest(of: [1])
    #expect(SHA256.areEqual(digest, SHA256.digest(of: [1])))
    #expect(!SHA256.areEqual(digest, Array(digest.dropLast())))
    for index in digest.indices {
      var other = digest
      other[index] ^= 1
      #expect(!SHA256.areEqual(digest, other))
    }
  }
}
