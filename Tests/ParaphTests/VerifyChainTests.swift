import Foundation
import Linux
import Spool
import SpoolFixtures
import Testing

/// `paraph verify` with an authority, a document, and a whole chain, on what openssl has signed.
@Suite struct VerifyChainTests {
  let folder = TemporaryFolder()
  var spool: String { folder.path + "/spool" }

  private func openssl(_ words: String...) throws {
    let result = try Programs.run(path: "/usr/bin/openssl", words)
    try #require(result.end == .exit(0), "\(result.text)")
  }

  /// Publishes an item that openssl signs; returns its path and manifest.
  @discardableResult
  private func item(
    certificate: String, key: String, document: ShownDocument? = nil
  ) throws -> (path: String, manifest: Manifest) {
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    var description = Fixtures.description
    description.document = document
    description.requester = Requester(
      uid: 1000, user: "anna", program: "counter", token: "desk")
    let manifest = try draft.describe(description)
    let (content, signature) = (folder.path + "/content", folder.path + "/p7s")
    try Fixtures.write(content, manifest.bytes)
    try openssl(
      "cms", "-sign", "-binary", "-in", content, "-signer", certificate, "-inkey", key, "-outform",
      "DER", "-out", signature)
    try draft.sign(try Fixtures.read(signature))
    return ("\(spool)/new/\(try draft.publish().id.text)", manifest)
  }

  private func item(_ keys: SealKeys) throws -> (path: String, manifest: Manifest) {
    try item(certificate: keys.certificate, key: keys.key)
  }

  // MARK: - An authority

  /// A certificate of this authority, in the folder.
  private func certify(_ name: String, by authority: SealKeys, _ more: String...) throws -> String {
    let (key, request, certificate) = (
      "\(folder.path)/\(name).key", "\(folder.path)/\(name).csr", "\(folder.path)/\(name).pem"
    )
    try openssl(
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
      key, "-subj", "/CN=\(name)", "-out", request)
    let result = try Programs.run(
      path: "/usr/bin/openssl",
      [
        "x509", "-req", "-in", request, "-CA", authority.certificate, "-CAkey", authority.key,
        "-CAcreateserial", "-out", certificate,
      ] + more)
    try #require(result.end == .exit(0), "\(result.text)")
    return certificate
  }

  @Test func `an authority's word is taken for the pads that it has certified`() throws {
    let authority = try SealKeys(.rsa, "authority", in: folder)
    let pad = try certify("counter-3", by: authority, "-days", "30")
    let item = try item(certificate: pad, key: folder.path + "/counter-3.key").path
    let good = try Tool.run("verify", "--ca", authority.certificate, item)
    #expect(good.status == 0 && good.error.isEmpty, "\(good)")
    #expect(good.output.contains("  certified: \"/CN=counter-3\", by an authority of "), "\(good)")
    #expect(good.output.contains(": signature 1 by \"/CN=counter-3\", "), "\(good)")
    #expect(
      good.output.contains(
        "  asked for by: user \"anna\" (1000), program (as it calls itself) \"counter\", token \"desk\"\n"
      ))
    // openssl says the same.
    try openssl(
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
    let expired = try certify("old", by: authority, "-days", "-1")
    let old = try item(certificate: expired, key: folder.path + "/old.key").path
    let late = try Tool.run("verify", "--ca", authority.certificate, old)
    #expect(late.isMistake(1), "\(late)")
    try Fixtures.write(
      folder.path + "/usage", Array("keyUsage=critical,keyEncipherment\n".utf8))
    let sealing = try certify(
      "sealing", by: authority, "-days", "30", "-extfile", folder.path + "/usage")
    // openssl refuses to sign with it, but another program would not.
    let unfit = try Programs.run(
      path: "/usr/bin/openssl",
      [
        "cms", "-sign", "-binary", "-in", old + "/signature.json", "-signer", sealing, "-inkey",
        folder.path + "/sealing.key", "-outform", "DER", "-out", old + "/signature.json.p7s",
      ])
    if unfit.end == .exit(0) {
      #expect(try Tool.run("verify", "--ca", authority.certificate, old).isMistake(1))
    }
  }

  @Test func `a certificate for servers is no pad's, and two pads make no chain`() throws {
    let authority = try SealKeys(.rsa, "authority", in: folder)
    func certified(_ name: String, _ use: String) throws -> String {
      let file = folder.path + "/\(name).cnf"
      try Fixtures.write(file, Array("extendedKeyUsage=\(use)\n".utf8))
      let certificate = try certify(name, by: authority, "-days", "30", "-extfile", file)
      return try item(certificate: certificate, key: folder.path + "/\(name).key").path
    }
    let documents = try certified("documents", "1.3.6.1.5.5.7.3.36,emailProtection")
    let mail = try certified("mail", "emailProtection")
    for item in [documents, mail] {
      let good = try Tool.run("verify", "--ca", authority.certificate, item)
      #expect(good.status == 0, "\(good)")
    }
    let two = try Tool.run("verify", "--ca", authority.certificate, "--chain", documents, mail)
    #expect(two.status == 1 && two.error.contains("not of one pad"), "\(two)")
    // openssl refuses to sign with it, but another program would not.
    let server = try certify("server", by: authority, "-days", "30")
    let forged = try item(certificate: server, key: folder.path + "/server.key").path
    let file = folder.path + "/server.cnf"
    try Fixtures.write(file, Array("extendedKeyUsage=serverAuth\n".utf8))
    let use = try certify("tls", by: authority, "-days", "30", "-extfile", file)
    try openssl(
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
    let item = try item(
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
    let none = try run(path, try self.item(keys).path)
    #expect(none.isMistake(1) && none.error.contains("no document was shown"), "\(none)")
    #expect(try run(folder.path + "/none", item.path).isMistake(66))
  }

  /// The commands of config/sealing.md with these words, run in the folder with the files that they name.
  @Test func `the documented commands say what paraph verify says`() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = try Fixtures.text(root + "/config/sealing.md").replacing("\\\n", with: "")
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") }
    func command(_ words: String...) throws -> String {
      String(try #require(lines.first { line in words.allSatisfy { line.contains($0) } }))
    }
    let authority = try SealKeys(.rsa, "authority", in: folder)
    let pad = try certify("pad", by: authority, "-days", "30")
    let document = Array("%PDF-1.7 a contract".utf8)
    try Fixtures.write(folder.path + "/contract.pdf", document)
    let sum = try Programs.run(path: "/usr/bin/sha256sum", [folder.path + "/contract.pdf"]).output
    let page = ShownDocument.Page(digest: String(repeating: "a", count: 64), milliseconds: 900)
    let item = try item(
      certificate: pad, key: folder.path + "/pad.key",
      document: ShownDocument(
        name: "contract.pdf", digest: String(sum.prefix(64)), pages: [page])
    ).path
    for name in ["pad.pem", "authority.pem", "contract.pdf"] {
      try FileManager.default.copyItem(
        atPath: "\(folder.path)/\(name)", toPath: "\(item)/\(name)")
    }
    let all = [
      try command("cms -verify", "-certfile pad.pem"),
      try command("cms -verify", "-CAfile authority.pem"), try command(".files", "sha256sum -c"),
      try command(".document.digest", "sha256sum -c"),
    ]
    for command in all {
      let result = try Programs.run(path: "/bin/sh", ["-c", "cd \(item) && \(command)"])
      #expect(result.end == .exit(0), "\(command): \(result.text)")
    }
    for name in ["signature.json", "signature.png", "contract.pdf"] {
      try Fixtures.write("\(item)/\(name)", [1])
    }
    for command in all {
      let result = try Programs.run(path: "/bin/sh", ["-c", "cd \(item) && \(command)"])
      #expect(result.end != .exit(0), "\(command)")
    }
  }

  // MARK: - The chain

  private func chain(_ keys: SealKeys, _ items: [String]) throws -> Tool.Result {
    try Tool.run(["verify", "--certificate", keys.certificate, "--chain"] + items)
  }

  @Test func `a removed item is named, also if its neighbours are gone too`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let items = try (0..<7).map { _ in try item(keys).path }
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

  @Test func `an erased item is accepted as erased, and another missing one is still named`()
    throws
  {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let items = try (0..<5).map { _ in try item(keys) }
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
    let next = try item(keys).path
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
    let first = try item(keys).path
    var publisher = Publisher(at: spool)
    do {
      var draft = try publisher.begin()
      try draft.write(.png, Fixtures.png())
      _ = try draft.describe(Fixtures.description)
    }
    let third = try item(keys).path
    let unused = try chain(keys, [first, third])
    #expect(unused.status == 0, "\(unused)")
    #expect(
      unused.output.contains("chain: number 2 is unused: the pad has saved no signature with it\n"))
    // A power cut, after which an item is nowhere.
    let state = try Fixtures.read(spool + "/chain")
    let lost = try item(keys).path
    try Fixtures.write(spool + "/chain", state)
    let aside = folder.path + "/" + (lost.split(separator: "/").last.map(String.init) ?? "")
    try FileManager.default.moveItem(atPath: lost, toPath: aside)
    let fifth = try item(keys).path
    let unknown = try chain(keys, [first, third, fifth])
    #expect(unknown.status == 1 && unknown.error.contains("number 4 is unknown: "), "\(unknown)")
    let found = try chain(keys, [first, third, aside, fifth])
    #expect(found.status == 0, "\(found)")
    #expect(
      found.output.contains(
        "chain: number 4: the pad does not know whether it confirmed that it was saved\n"))
    // The spool is replaced: the pad counts from 1 again.
    try FileManager.default.moveItem(atPath: spool, toPath: folder.path + "/former")
    let again = try item(keys).path
    let moved = [first, third].map { $0.replacing("/spool/", with: "/former/") }
    let repeated = try chain(keys, moved + [again])
    #expect(repeated.status == 1 && repeated.error.contains("has the number 1, as "), "\(repeated)")
  }
}
