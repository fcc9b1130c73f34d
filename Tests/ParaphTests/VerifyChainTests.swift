import Foundation
import Linux
import Spool
import SpoolFixtures
import Testing

/// `paraph verify` with an authority, a document, and a whole chain, on what openssl has signed.
@Suite struct VerifyChainTests {
  let signed = SignedItems()
  var folder: TemporaryFolder { signed.folder }
  var spool: String { signed.spool }

  // MARK: - An authority

  @Test func `an authority's word is taken for the pads that it has certified`() throws {
    let authority = try SealKeys(.rsa, "authority", in: folder)
    let pad = try signed.certify("counter-3", by: authority, "-days", "30")
    let item = try signed.item(certificate: pad, key: folder.path + "/counter-3.key").path
    let good = try Tool.run("verify", "--ca", authority.certificate, item)
    #expect(good.status == 0 && good.error.isEmpty, "\(good)")
    #expect(good.output.contains("  certified: \"/CN=counter-3\", by an authority of "), "\(good)")
    #expect(good.output.contains(": signature 1 by \"/CN=counter-3\", "), "\(good)")
    #expect(
      good.output.contains(
        "  asked for by: user \"anna\" (1000), program (as it calls itself) \"counter\", token \"desk\"\n"
      ))
    // openssl says the same.
    try signed.openssl(
      "cms", "-verify", "-inform", "DER", "-binary", "-in", item + "/signature.json.p7s",
      "-content", item + "/signature.json", "-CAfile", authority.certificate, "-purpose", "any",
      "-out", "/dev/null")
    let both = try Tool.run(
      "verify", "--ca", authority.certificate, "--certificate", pad, item)
    #expect(both.status == 0, "\(both)")
    let stranger = try SealKeys(.rsa, "stranger", in: folder)
    let foreign = try Tool.run("verify", "--ca", stranger.certificate, item)
    #expect(
      foreign.isMistake(1) && foreign.error.contains("no signer is certified by this authority ("),
      "\(foreign)")
    let mixed = try Tool.run(
      "verify", "--ca", authority.certificate, "--certificate", stranger.certificate, item)
    #expect(mixed.isMistake(1), "\(mixed)")
  }

  @Test func `a certificate that was not valid then, or not for signatures, is refused`() throws {
    let authority = try SealKeys(.rsa, "authority", in: folder)
    let expired = try signed.certify("old", by: authority, "-days", "-1")
    let old = try signed.item(certificate: expired, key: folder.path + "/old.key").path
    let late = try Tool.run("verify", "--ca", authority.certificate, old)
    #expect(late.isMistake(1), "\(late)")
    try Fixtures.write(
      folder.path + "/usage", Array("keyUsage=critical,keyEncipherment\n".utf8))
    let sealing = try signed.certify(
      "sealing", by: authority, "-days", "30", "-extfile", folder.path + "/usage")
    let unfit = try Programs.run(
      path: "/usr/bin/openssl",
      [
        "cms", "-sign", "-binary", "-in", old + "/signature.json", "-signer", sealing, "-inkey",
        folder.path + "/sealing.key", "-outform", "DER", "-out", old + "/signature.json.p7s",
      ])
    #expect(unfit.end == .exit(0), "\(unfit.text)")
    let refused = try Tool.run("verify", "--ca", authority.certificate, old)
    #expect(
      refused.isMistake(1)
        && refused.error.contains("key usage has neither digitalSignature nor nonRepudiation"),
      "\(refused)")
  }

  @Test func `a certificate for servers is no pad's, and two pads make no chain`() throws {
    let authority = try SealKeys(.rsa, "authority", in: folder)
    func certified(_ name: String, _ use: String) throws -> String {
      let file = folder.path + "/\(name).cnf"
      try Fixtures.write(file, Array("extendedKeyUsage=\(use)\n".utf8))
      let certificate = try signed.certify(name, by: authority, "-days", "30", "-extfile", file)
      return try signed.item(certificate: certificate, key: folder.path + "/\(name).key").path
    }
    let documents = try certified("documents", "1.3.6.1.5.5.7.3.36,emailProtection")
    let mail = try certified("mail", "emailProtection")
    for item in [documents, mail] {
      let good = try Tool.run("verify", "--ca", authority.certificate, item)
      #expect(good.status == 0, "\(good)")
    }
    let two = try Tool.run("verify", "--ca", authority.certificate, "--chain", documents, mail)
    #expect(two.status == 1 && two.error.contains("not of one pad"), "\(two)")
    let server = try signed.certify("server", by: authority, "-days", "30")
    let forged = try signed.item(certificate: server, key: folder.path + "/server.key").path
    let file = folder.path + "/server.cnf"
    try Fixtures.write(file, Array("extendedKeyUsage=serverAuth\n".utf8))
    let use = try signed.certify("tls", by: authority, "-days", "30", "-extfile", file)
    try signed.openssl(
      "cms", "-sign", "-binary", "-in", forged + "/signature.json", "-signer", use, "-inkey",
      folder.path + "/tls.key", "-outform", "DER", "-out", forged + "/signature.json.p7s")
    let bad = try Tool.run("verify", "--ca", authority.certificate, forged)
    #expect(bad.isMistake(1) && bad.error.contains("for other purposes"), "\(bad)")
  }

  // MARK: - A document

  @Test func `the original document is compared`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let path = folder.path + "/contract.pdf"
    try Fixtures.write(path, Array("%PDF-1.7 a contract".utf8))
    let sum = try Programs.run(path: "/usr/bin/sha256sum", [path]).output.prefix(64)
    let page = ShownDocument.Page(digest: String(repeating: "a", count: 64), milliseconds: 900)
    let item = try signed.item(
      certificate: keys.certificate, key: keys.key,
      document: ShownDocument(name: "contract.pdf", digest: String(sum), pages: [page]))
    func run(_ document: String, _ item: String) throws -> Tool.Result {
      try Tool.run("verify", "--certificate", keys.certificate, "--document", document, item)
    }
    let same = try run(path, item.path)
    #expect(
      same.status == 0 && same.output.contains("\"contract.pdf\", which is this file"), "\(same)")
    try Fixtures.write(path, Array("%PDF-1.7 another one".utf8))
    let other = try run(path, item.path)
    #expect(other.isMistake(1) && other.error.contains("another document was shown"), "\(other)")
    let none = try run(path, try signed.item(keys).path)
    #expect(none.isMistake(1) && none.error.contains("no document was shown"), "\(none)")
    #expect(try run(folder.path + "/none", item.path).isMistake(66))
  }

  // MARK: - The chain

  private func chain(_ keys: SealKeys, _ items: [String]) throws -> Tool.Result {
    try Tool.run(["verify", "--certificate", keys.certificate, "--chain"] + items)
  }

  @Test func `a removed item is named, also if its neighbours are gone too`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let items = try (0..<7).map { _ in try signed.item(keys).path }
    let whole = try chain(keys, items.shuffled())
    #expect(whole.status == 0 && whole.error.isEmpty, "\(whole)")
    #expect(whole.output.contains("chain: number 1 is the first one of the pad\n"))
    #expect(
      whole.output.hasSuffix(
        "chain: nothing shows whether signatures after number 7 were removed\n"))
    #expect(try chain(keys, items + [items[2]]).status == 0)
    let one = try chain(keys, items.filter { $0 != items[3] })
    #expect(one.status == 1, "\(one)")
    #expect(one.error == "paraph: chain: number 4 is missing, before \(items[4])\n")
    let several = try chain(keys, [items[0], items[4], items[6]])
    #expect(several.status == 1)
    #expect(several.error.contains("chain: numbers 2 to 4 are missing, before "), "\(several)")
    #expect(several.error.contains("chain: number 6 is missing, before "), "\(several)")
    // What is not signed by the pad does not fill a gap.
    let manifest = try Manifest(Fixtures.read(items[3] + "/signature.json"))
    var forged = manifest
    forged.reference = "forged"
    try Fixtures.write(items[3] + "/signature.json", forged.bytes)
    let filled = try chain(keys, items)
    #expect(filled.status == 1 && filled.error.contains("number 4 is missing"), "\(filled)")
  }

  @Test func `a chain over two keys of the pad shows the removal of the former key's last item`()
    throws
  {
    let keys = try ["former", "new"].map { try SealKeys(.ellipticCurve, $0, in: folder) }
    let items = try [0, 0, 0, 1, 1].map { try signed.item(keys[$0]).path }
    let both = folder.path + "/both.pem"
    try Fixtures.write(both, try keys.flatMap { try Fixtures.read($0.certificate) })
    func chain(_ certificate: String, _ items: [String]) throws -> Tool.Result {
      try Tool.run(["verify", "--certificate", certificate, "--chain"] + items)
    }
    let whole = try chain(both, items.shuffled())
    #expect(whole.status == 0 && whole.error.isEmpty, "\(whole)")
    let last = try chain(both, items.filter { $0 != items[2] })
    #expect(last.status == 1, "\(last)")
    #expect(last.error == "paraph: chain: number 3 is missing, before \(items[3])\n")
    // Each key for itself, the new one's items do not show it.
    let alone = try chain(keys[1].certificate, [items[3], items[4]])
    #expect(
      alone.status == 0
        && alone.output.contains("nothing shows whether signatures before number 4 or "), "\(alone)"
    )
    #expect(try chain(keys[1].certificate, items).status == 1)
  }

  @Test func `a chain over a renewed certificate of an authority shows the same`() throws {
    let authority = try SealKeys(.rsa, "authority", in: folder)
    let certificates = try ["former", "new"].map {
      try signed.certify($0, by: authority, subject: "counter-3", "-days", "30")
    }
    let items = try [0, 0, 1].map {
      try signed.item(
        certificate: certificates[$0], key: certificates[$0].replacing(".pem", with: ".key")
      ).path
    }
    func chain(_ items: [String]) throws -> Tool.Result {
      try Tool.run(["verify", "--ca", authority.certificate, "--chain"] + items)
    }
    #expect(try chain(items).status == 0)
    let last = try chain([items[0], items[2]])
    #expect(last.error == "paraph: chain: number 2 is missing, before \(items[2])\n", "\(last)")
  }

  @Test func `a chain over certificates of different names is one pad's if they are given`()
    throws
  {
    let authority = try SealKeys(.rsa, "authority", in: folder)
    let certificates = try ["counter-3", "counter-4"].map {
      try signed.certify($0, by: authority, "-days", "30")
    }
    let items = try [0, 0, 1].map {
      try signed.item(
        certificate: certificates[$0], key: certificates[$0].replacing(".pem", with: ".key")
      ).path
    }
    let both = folder.path + "/both.pem"
    try Fixtures.write(both, try certificates.flatMap { try Fixtures.read($0) })
    let words = ["verify", "--ca", authority.certificate, "--chain"]
    let whole = try Tool.run(words + ["--certificate", both] + items)
    #expect(whole.status == 0 && whole.error.isEmpty, "\(whole)")
    let last = try Tool.run(words + ["--certificate", both, items[0], items[2]])
    #expect(last.error == "paraph: chain: number 2 is missing, before \(items[2])\n", "\(last)")
    let alone = try Tool.run(words + items)
    #expect(alone.status == 1 && alone.error.contains("not of one pad"), "\(alone)")
  }

  @Test func `an erased item is accepted as erased, and another missing one is still named`()
    throws
  {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let items = try (0..<5).map { _ in try signed.item(keys) }
    let copy = folder.path + "/" + items[2].manifest.id.text
    try FileManager.default.copyItem(atPath: items[2].path, toPath: copy)
    let erased = try Tool.run("spool", "erase", items[2].manifest.id.text, "--spool", spool)
    #expect(erased.status == 0 && erased.error.isEmpty, "\(erased)")
    #expect(
      erased.output.hasPrefix(
        "\(items[2].manifest.id.text)\n  number 3: the next signature's manifest names it as erased\n"
      ))
    #expect(erased.output.contains("  no delivery is recorded\n"))
    #expect(!Fixtures.exists(items[2].path))
    let left = [0, 1, 3, 4].map { items[$0].path }
    // Nothing signed says so yet.
    #expect(try chain(keys, left).error.contains("number 3 is missing"))
    let next = try signed.item(keys).path
    let all = try chain(keys, left + [next])
    #expect(all.status == 0 && all.error.isEmpty, "\(all)")
    #expect(all.output.contains("chain: number 3 was erased on 2"), "\(all)")
    // No digest in the statement but that of the manifest, and no name.
    let text = try Fixtures.text(next + "/signature.json")
    #expect(text.contains("\"erased\"") && !text.contains(items[2].manifest.id.text))
    let silent = try chain(keys, [left[0], left[2], left[3], next])
    #expect(silent.status == 1 && silent.error.contains("number 2 is missing"), "\(silent)")
    let kept = try chain(keys, left + [copy, next])
    #expect(kept.status == 1 && kept.error.contains("it should not be here"), "\(kept)")
  }

  @Test func `unused numbers, unknown ones, new chains and repeats are told apart`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let first = try signed.item(keys).path
    var publisher = Publisher(at: spool)
    do {
      var draft = try publisher.begin()
      try draft.write(.png, Fixtures.png())
      _ = try draft.describe(Fixtures.description)
    }
    let third = try signed.item(keys).path
    let unused = try chain(keys, [first, third])
    #expect(unused.status == 0, "\(unused)")
    #expect(
      unused.output.contains("chain: number 2 is unused: the pad has saved no signature with it\n"))
    // A power cut, after which an item is nowhere.
    let state = try Fixtures.read(spool + "/chain")
    let lost = try signed.item(keys).path
    try Fixtures.write(spool + "/chain", state)
    let aside = folder.path + "/" + (lost.split(separator: "/").last.map(String.init) ?? "")
    try FileManager.default.moveItem(atPath: lost, toPath: aside)
    let fifth = try signed.item(keys).path
    let unknown = try chain(keys, [first, third, fifth])
    #expect(unknown.status == 1 && unknown.error.contains("number 4 is unknown: "), "\(unknown)")
    let found = try chain(keys, [first, third, aside, fifth])
    #expect(found.status == 0, "\(found)")
    #expect(
      found.output.contains(
        "chain: number 4: the pad does not know whether it confirmed that it was saved\n"))
    // The spool is replaced: the pad counts from 1 again.
    try FileManager.default.moveItem(atPath: spool, toPath: folder.path + "/former")
    let again = try signed.item(keys).path
    let moved = [first, third].map { $0.replacing("/spool/", with: "/former/") }
    let repeated = try chain(keys, moved + [again])
    #expect(repeated.status == 1 && repeated.error.contains("has the number 1, as "), "\(repeated)")
  }
}
