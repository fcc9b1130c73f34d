import CLinux
import Linux
import Seal
import SealClient
import SpoolFixtures
import SyntheticHand
import Testing

/// What paraph-seal opens, and what it refuses although OpenSSL may open it.
@Suite struct SealedCipherTests {
  private let folder = TemporaryFolder()
  /// Within one block of AES, which AES-OFB and AES-CFB decrypt as AES-GCM does.
  private let ink = Array("{\"strokes\":[]}".utf8)

  /// What somebody says of a cipher who does not have the key.
  enum Change: CaseIterable, Sendable {
    case ofb, cfb, ofbWithoutCode
    case noCode, shortCode, cutCode, codeOf12, codeOf12ByDefault
    case otherCipher, longNonce, afterSize, afterParameters
    case attributes

    func apply(to sealed: inout SealedParts) {
      let nonce = sealed.nonce
      // The first counter of the content (NIST SP 800-38D, 7.1).
      let vector = SealedParts.element(4, nonce + [0, 0, 0, 2])
      switch self {
      case .ofb: sealed.cipher = SealedParts.aes(43, vector)
      case .cfb: sealed.cipher = SealedParts.aes(44, vector)
      case .ofbWithoutCode: (sealed.cipher, sealed.code) = (SealedParts.aes(43, vector), [])
      case .noCode: sealed.code = []
      case .shortCode: sealed.code = Array(sealed.code.prefix(1))
      case .cutCode:
        sealed.code = Array(sealed.code.prefix(1))
        sealed.cipher = SealedParts.gcm(nonce, [2, 1, 1])
      case .codeOf12:
        sealed.code = Array(sealed.code.prefix(12))
        sealed.cipher = SealedParts.gcm(nonce, [2, 1, 12])
      case .codeOf12ByDefault:
        sealed.code = Array(sealed.code.prefix(12))
        sealed.cipher = SealedParts.gcm(nonce, [])
      case .otherCipher: sealed.cipher[10] = 6
      case .longNonce: sealed.cipher = SealedParts.gcm(nonce + [0], [2, 1, 16])
      case .afterSize: sealed.cipher = SealedParts.gcm(nonce, [2, 1, 16, 5, 0])
      case .afterParameters: sealed.cipher = SealedParts.gcm(nonce, [2, 1, 16]) + [5, 0]
      case .attributes: sealed.attributes = [0xa2, 0]
      }
    }
  }

  private func unseal(_ sealed: [UInt8], _ keys: SealKeys) throws -> Programs.Result {
    let path = folder.path + "/sealed"
    try Fixtures.write(path, sealed)
    return try Programs.run(
      path: "/bin/sh",
      [
        "-c", "exec \"$1\" --unseal --key=\"$2\" < \"$3\"", "sh", Programs.path("paraph-seal"),
        keys.key, path,
      ])
  }

  @Test(arguments: [SealKeys.Kind.rsa, .ellipticCurve])
  func `what paraph-seal and openssl seal is opened, of any size`(_ kind: SealKeys.Kind) throws {
    let keys = try SealKeys(kind, "notary", in: folder)
    let certificates = try [keys, SealKeys(.ellipticCurve, "archive", in: folder)].map {
      try Fixtures.read($0.certificate)
    }
    // Lengths of 1 to 4 bytes, around the content.
    let files = [1, 14, 200, 40_000, 70_000].map { [UInt8](repeating: 0x20, count: $0) }
    let program = SealProgram(Programs.path("paraph-seal"), timeLimit: 60_000)
    guard case .sealed(let own) = try program.ask(.seal(files, for: certificates)) else {
      Issue.record("paraph-seal has sealed nothing")
      return
    }
    for (file, sealed) in zip(files, own) {
      for sealed in [sealed, try keys.seal(file, in: folder)] {
        #expect(SealedForm.isAuthenticated(sealed))
        let result = try unseal(sealed, keys)
        #expect(result.end == .exit(0) && Array(result.output.utf8) == file, "\(result)")
      }
    }
  }

  @Test(arguments: Change.allCases)
  func `a file whose cipher was changed is refused in one line, and nothing of it is written`(
    _ change: Change
  ) throws {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    let sealed = try keys.seal(ink, in: folder)
    var parts = try #require(SealedParts(sealed))
    // Nothing else differs.
    #expect(parts.bytes == sealed)
    change.apply(to: &parts)
    #expect(SealedForm.matches(parts.bytes) && !SealedForm.isAuthenticated(parts.bytes))
    let result = try unseal(parts.bytes, keys)
    #expect(result.end == .exit(EX_DATAERR) && result.output.isEmpty, "\(result)")
    #expect(
      result.error
        == "paraph-seal: it was changed, or not sealed by AES-256-GCM with a code of 16 bytes\n")
  }

  @Test func `a changed content or code of the right size is refused, too`() throws {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    let whole = try #require(SealedParts(keys.seal(ink, in: folder)))
    for change in [{ $0.content[0] ^= 1 }, { $0.code[0] ^= 1 }] as [(inout SealedParts) -> Void] {
      var parts = whole
      change(&parts)
      #expect(SealedForm.isAuthenticated(parts.bytes))
      let result = try unseal(parts.bytes, keys)
      #expect(result.end == .exit(EX_DATAERR) && result.output.isEmpty, "\(result)")
      #expect(result.error == "paraph-seal: it is damaged, or not sealed to this key\n")
    }
  }

  @Test func `the form of a cut or changed file is read without a crash`() throws {
    let keys = try SealKeys(.rsa, "notary", in: folder)
    let whole = try keys.seal(ink, in: folder)
    for count in whole.indices { #expect(!SealedForm.isAuthenticated(Array(whole[..<count]))) }
    #expect(!SealedForm.isAuthenticated(whole + [0]))
    for place in whole.indices {
      for byte in [0, 0x7f, 0x80, 0x84, 0xff] as [UInt8] {
        var changed = whole
        changed[place] = byte
        _ = SealedForm.isAuthenticated(changed)
      }
    }
    var random = SeededRandom(seed: 2026)
    for _ in 0..<2000 { _ = SealedForm.isAuthenticated(Mutation.of(whole, &random)) }
  }
}
