import CLinux
import Linux
import Seal
import SealClient
import SpoolFixtures
import SyntheticHand
import Testing

/// paraph-seal's requests for time stamps, and its checks, against `openssl ts`.
@Suite struct SealTimestampTests {
  private let folder = TemporaryFolder()
  private let program = SealProgram(Programs.path("paraph-seal"), timeLimit: 60_000)
  private let signature = Array("a signature of a manifest".utf8)

  private func query(_ bytes: [UInt8]) throws -> [UInt8] {
    let reply = try program.ask(.query(bytes))
    guard case .query(let query) = reply else {
      Issue.record("\(reply)")
      return []
    }
    return query
  }

  private func check(
    _ response: [UInt8], of bytes: [UInt8]? = nil, to query: [UInt8]?, _ certificate: String
  ) throws -> SealReply {
    try program.ask(
      .stamp(
        SealStamp(
          response: response, of: bytes ?? signature, to: query,
          trusting: try Fixtures.read(certificate))))
  }

  private func reason(_ reply: SealReply) -> String {
    if case .failed(let reason) = reply { return reason }
    return "\(reply)"
  }

  @Test func `openssl answers the request, and both verify the response`() throws {
    let authority = try TimestampAuthority("clock", in: folder)
    let query = try query(signature)
    let again = try self.query(signature)
    #expect(query != again, "the nonce is the same")
    try Fixtures.write(folder.path + "/q", query)
    let text = try Programs.run(
      path: "/usr/bin/openssl", ["ts", "-query", "-in", folder.path + "/q", "-text"]
    ).output
    #expect(text.contains("Hash Algorithm: sha256") && text.contains("Certificate required: yes"))
    #expect(text.contains("Nonce: 0x"))
    let response = try authority.reply(to: query)
    #expect(try authority.verifies(response, of: signature))
    #expect(
      try authority.verifies(
        response, of: signature, options: ["-CAfile", authority.certificate, "-partial_chain"]))
    #expect(try !authority.verifies(response, of: [1]))
    let begin = WallClock.now / 1_000_000_000
    // By the root, and by the authority's own certificate; with the request, and later without it.
    for certificate in [authority.root, authority.certificate] {
      for query in [query, nil] {
        let reply = try check(response, to: query, certificate)
        guard case .stamped(let timestamp) = reply else {
          Issue.record("\(reply)")
          continue
        }
        #expect(timestamp.authority == "/CN=clock" && abs(timestamp.time - begin) < 600)
      }
    }
  }

  @Test func `what another has made is verified, and the other way round`() throws {
    let authority = try TimestampAuthority("clock", in: folder)
    let query = try authority.query(signature)
    let response = try authority.reply(to: query)
    guard case .stamped = try check(response, to: query, authority.root) else {
      Issue.record("openssl's request and response are refused")
      return
    }
    // A weaker digest than that of the request.
    let old = try authority.query(signature, digest: "sha1")
    let reply = try check(authority.reply(to: old), to: nil, authority.root)
    #expect(
      reply == .rejected("status 2, unknown algorithm: Message digest algorithm is not supported."))
  }

  @Test func `a token of other bytes, another request or an unknown authority is refused`() throws {
    let (authority, other) = (
      try TimestampAuthority("clock", in: folder), try TimestampAuthority("other", in: folder)
    )
    let query = try query(signature)
    let response = try authority.reply(to: query)
    #expect(
      try reason(check(response, of: [1], to: query, authority.root))
        .contains("message imprint mismatch"))
    #expect(
      try reason(check(response, to: self.query(signature), authority.root))
        == "the token is the answer to another request (its nonce differs)")
    #expect(
      try reason(check(response, to: query, other.root)).contains("certificate verify error"))
    #expect(
      try reason(check(response, to: query, other.certificate)).contains("certificate verify error")
    )
    for bytes in [[], [0x30, 0x00], Array("<html>".utf8), Array(response.dropLast())] as [[UInt8]] {
      #expect(
        try reason(check(bytes, to: query, authority.root)) == "the response is no time stamp")
    }
    try Fixtures.write(folder.path + "/none.pem", [])
    #expect(
      try reason(check(response, to: query, folder.path + "/none.pem"))
        == "the file of the authority contains no certificate in PEM")
  }

  @Test func `a certificate that is not for time stamps proves nothing`() throws {
    let authority = try TimestampAuthority("clock", in: folder)
    // Both are of openssl's authority, and sign the same content; only one is for time stamps. They are older than the
    // time that is stated.
    let signers = try [
      (authority.certificate(usage: "critical,timeStamping"), true),
      (authority.certificate(usage: "emailProtection"), false),
    ]
    let query = try query(signature)
    let response = try authority.reply(to: query)
    for (signer, isAccepted) in signers {
      let reply = try check(
        authority.resign(response, with: signer, authority.folder + "/tsa.key"), to: query,
        authority.root)
      if case .stamped = reply {
        #expect(isAccepted)
      } else {
        #expect(!isAccepted && reason(reply).contains("certificate verify error"), "\(reply)")
      }
    }
  }

  @Test func `a weak digest of the token and bytes behind the response are refused`() throws {
    let authority = try TimestampAuthority("clock", in: folder)
    let query = try query(signature)
    #expect(
      try reason(check(authority.reply(to: query) + [0], to: query, authority.root))
        == "bytes follow the response")
    let text = try Fixtures.text(authority.configuration)
    try Fixtures.write(
      authority.configuration,
      Array(text.replacing("signer_digest = sha256", with: "signer_digest = sha1").utf8))
    #expect(
      try reason(check(authority.reply(to: query), to: query, authority.root))
        == "the token is signed with a digest that is too short")
  }

  /// Bytes outside of what is signed may change; the time and the authority never do.
  @Test func `a changed response is refused, or proves the same`() throws {
    let authority = try TimestampAuthority("clock", in: folder)
    let query = try query(signature)
    let response = try authority.reply(to: query)
    let whole = try check(response, to: query, authority.root)
    guard case .stamped = whole else {
      Issue.record("\(whole)")
      return
    }
    var random = SeededRandom(seed: 3161)
    var refused = 0
    for _ in 0..<150 {
      let changed = Mutation.of(response, &random)
      if changed == response { continue }
      let reply = try check(changed, to: query, authority.root)
      if case .stamped = reply { #expect(reply == whole) } else { refused += 1 }
    }
    #expect(refused > 100)
  }
}

/// Random changes of bytes.
enum Mutation {
  /// One to three changes: a byte, a bit, an insertion, a cut, a repetition, or all anew.
  static func of(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0...4: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 5...7: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 8: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      case 9: bytes.removeSubrange(place...)
      case 10: bytes.insert(contentsOf: bytes[..<min(place, 64)], at: place)
      default: bytes = bytes.prefix(64).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
    }
    return bytes
  }
}
