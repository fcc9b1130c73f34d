import Foundation
import Linux
import Spool
import SpoolFixtures
import Testing

/// `paraph verify` on what openssl has signed.
@Suite struct VerifyTests {
  let folder = TemporaryFolder()

  /// A delivered item whose manifest openssl has signed with these keys; nil: unsigned.
  private func item(_ keys: SealKeys?) throws -> String {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    let manifest = try draft.describe(Fixtures.description)
    if let keys {
      let (content, signature) = (folder.path + "/content", folder.path + "/p7s")
      try Fixtures.write(content, manifest.bytes)
      let result = try Programs.run(
        path: "/usr/bin/openssl",
        [
          "cms", "-sign", "-binary", "-in", content, "-signer", keys.certificate, "-inkey",
          keys.key, "-outform", "DER", "-out", signature,
        ])
      try #require(result.end == .exit(0), "\(result.text)")
      try draft.sign(try Fixtures.read(signature))
    }
    return "\(folder.path)/spool/new/\(try draft.publish().id.text)"
  }

  @Test func `a signed item is whole, and each change is named`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let item = try item(keys)
    func run(_ certificate: String? = nil) throws -> Tool.Result {
      try Tool.run("verify", "--certificate", certificate ?? keys.certificate, item)
    }
    let whole = try run()
    #expect(whole.status == 0 && whole.error.isEmpty, "\(whole)")
    #expect(
      whole.output.contains("signature 1 of this pad, ")
        && whole.output.contains("1 files are unchanged\n")
        && whole.output.contains("  time: by the pad's own clock")
        && whole.output.contains("  not proven: that no other item was removed"))
    let other = try SealKeys(.ellipticCurve, "other", in: folder)
    let foreign = try run(other.certificate)
    #expect(foreign.isMistake(1), "\(foreign)")
    #expect(
      foreign.error.contains("signature.json.p7s: the owner of the certificate has not signed this")
    )
    let picture = try Fixtures.read(item + "/signature.png")
    try Fixtures.write(item + "/signature.png", Fixtures.png(padding: 1))
    #expect(try run().error == "paraph: \(item)/signature.png: was changed\n")
    unlink(item + "/signature.png")
    #expect(try run().error == "paraph: \(item)/signature.png: is missing\n")
    try Fixtures.write(item + "/signature.png", picture)
    try Fixtures.write(item + "/signature.svg", [1])
    #expect(try run().error == "paraph: \(item)/signature.svg: is not in the manifest\n")
    unlink(item + "/signature.svg")
    let place = folder.path + "/0190c8a4-5b2e-7000-8000-000000000001"
    symlink(item, place)
    let moved = try Tool.run("verify", "--certificate", keys.certificate, place)
    #expect(moved.isMistake(1) && moved.error.contains("is another item: "), "\(moved)")
    var manifest = try Manifest(Fixtures.read(item + "/signature.json"))
    manifest.reference = "another parcel"
    let signed = try Fixtures.read(item + "/signature.json")
    try Fixtures.write(item + "/signature.json", manifest.bytes)
    #expect(try run().isMistake(1))
    try Fixtures.write(item + "/signature.json", signed)
    try Fixtures.write(item + "/signature.json.p7s", [1, 2, 3])
    #expect(try run().isMistake(1))
    unlink(item + "/signature.json.p7s")
    #expect(try run().error.contains("is not signed: it has no signature.json.p7s"))
  }

  @Test func `all items are checked, and a mistake is one line`() throws {
    let keys = try SealKeys(.rsa, "pad", in: folder)
    let (signed, unsigned) = (try item(keys), try item(nil))
    let result = try Tool.run("verify", "--certificate", keys.certificate, unsigned, signed)
    #expect(result.status == 1)
    let heads = result.output.split(separator: "\n").filter { !$0.hasPrefix("  ") }
    #expect(heads.count == 1, "\(result)")
    #expect(result.error.split(separator: "\n").count == 1)
    #expect(try Tool.run("verify").isMistake(64))
    let unknown = try Tool.run("verify", signed)
    #expect(unknown.status == 1 && unknown.output.contains(": unknown maker, "), "\(unknown)")
    #expect(
      unknown.error == "paraph: not proven: who has made this; give --certificate or --ca\n")
    #expect(try Tool.run("verify", "--certificate", folder.path + "/none", signed).isMistake(66))
    #expect(try Tool.run("verify", "--certificate", keys.certificate, folder.path).isMistake(66))
    let wrong = try Tool.run("verify", "--certificate", keys.key, signed)
    #expect(wrong.isMistake(66) && wrong.error.contains("contains a private key"), "\(wrong)")
    try Fixtures.write(folder.path + "/noise", [1, 2, 3])
    for option in ["--certificate", "--ca", "--timestamp-ca"] {
      let noise = try Tool.run("verify", option, folder.path + "/noise", signed)
      #expect(noise.isMistake(66) && noise.error.contains("no certificate in PEM"), "\(noise)")
    }
  }

  @Test func `a manifest that is dated long before its time stamp is no older than that`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let authority = try TimestampAuthority("clock", in: folder)
    let item = try item(keys)
    let (manifest, signature) = (item + "/signature.json", item + "/signature.json.p7s")
    let text = try Fixtures.text(manifest)
    let start = try #require(text.range(of: "\"time\":\"") ?? text.range(of: "\"time\": \""))
    let year = start.upperBound..<text.index(start.upperBound, offsetBy: 4)
    try Fixtures.write(manifest, Array(text.replacingCharacters(in: year, with: "2020").utf8))
    let signs = try Programs.run(
      path: "/usr/bin/openssl",
      [
        "cms", "-sign", "-binary", "-in", manifest, "-signer", keys.certificate, "-inkey",
        keys.key, "-outform", "DER", "-out", signature,
      ])
    try #require(signs.end == .exit(0), "\(signs.text)")
    try Fixtures.write(
      signature + ".tsr", try authority.reply(to: authority.query(Fixtures.read(signature))))
    let result = try Tool.run(
      "verify", "--certificate", keys.certificate, "--timestamp-ca", authority.root, item)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output.contains(" days after the pad's time: nothing proves that it is older\n"),
      "\(result)")
  }

  @Test func `a time stamp says when the signature existed, and its absence what that means`()
    throws
  {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let authority = try TimestampAuthority("clock", in: folder)
    let item = try item(keys)
    func run(_ options: String...) throws -> Tool.Result {
      try Tool.run(["verify", "--certificate", keys.certificate] + options + [item])
    }
    let without = try run()
    #expect(
      without.status == 0
        && without.output.contains(
          "; no authority confirms the time: it has no signature.json.p7s.tsr\n"),
      "\(without)")
    let required = try run("--timestamp-ca", authority.root)
    #expect(
      required.isMistake(1) && required.error.contains("no authority confirms the time"),
      "\(required)")
    let (mark, stamp) = (item + "/signature.json.p7s.tsr.missing", item + "/signature.json.p7s.tsr")
    try Fixtures.write(mark, Array("no time stamp: none within 1 h\n".utf8))
    #expect(
      try run().output.contains("confirms the time: it has only a mark, which anybody can make, "))
    unlink(mark)
    let signature = try Fixtures.read(item + "/signature.json.p7s")
    let response = try authority.reply(to: authority.query(signature))
    try Fixtures.write(stamp, response)
    let stamped = try run("--timestamp-ca", authority.root)
    #expect(stamped.status == 0, "\(stamped)")
    #expect(stamped.output.contains("; existed at 20"))
    #expect(stamped.output.contains("Z, as /CN=clock states\n"))
    #expect(
      try run().output.contains("signature.json.p7s.tsr is not checked without --timestamp-ca"))
    let foreign = try run("--timestamp-ca", keys.certificate)
    #expect(
      foreign.isMistake(1) && foreign.error.contains("signature.json.p7s.tsr: "), "\(foreign)")
    #expect(try run("--timestamp-ca", folder.path + "/none").isMistake(66))
    // Of another item's signature.
    try Fixtures.write(stamp, try authority.reply(to: authority.query([1])))
    let other = try run("--timestamp-ca", authority.root)
    #expect(other.isMistake(1) && other.error.contains("message imprint mismatch"), "\(other)")
    try Fixtures.write(stamp, [])
    #expect(
      try run("--timestamp-ca", authority.root).error.contains("the response is no time stamp"))
  }
}
